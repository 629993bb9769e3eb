// Successive statements over few elements, in one workgroup:
//
//   sums = screma [256] (counts) scan i32.add 0;  low = screma [256] (sums) reduce ..
//   t = f32.of_i32 low;  ys = screma [256] (sums) map (c) { .. t .. }
// becomes
//   ys' = screma only_intra [1] (iota 1) map (cell) {
//     sums = ..; low = ..; t = ..; ys = ..; return ys }
//   ys = reshape [256] ys'
//
// One launch instead of three or more, and no memory for the chain's own arrays. Each launch
// costs two microseconds, a barrier a tenth of that.
#pragma once

#include <optional>
#include <vector>

#include "gpu/plan/workgroup/only_cell.h"

namespace halo::gpu {

struct SmallChain {
  size_t count = 0;               // statements
  std::vector<core::Stm> before;  // those of them that need nothing of the others
  OnlyCell cell;
};

// Whether it can be part of one, if it cannot fail.
bool isOfSmallChain(const core::Program& program, const core::Stm& stm);

// From statement `first` of host code on, which returns `results`. Nothing if there is but one
// launch, or a workgroup would take longer for some sizes.
std::optional<SmallChain> smallChain(core::Program& program, const std::vector<core::Stm>& stms,
                                     const core::Operands& results, size_t first);

}  // namespace halo::gpu
