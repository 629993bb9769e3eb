// Host code as the only cell of a nest, for a workgroup (group_cells.h):
//
//   ys = ..;  s = ..
// becomes
//   ys', s' = screma [1] (iota 1) map (cell) { ys = ..;  s = ..;  return ys, s }
//   ys = reshape [n] ys';  s = index s'[0]
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

inline constexpr int64_t kLanes = 1024;  // of its workgroup

struct OnlyCell {
  core::Stm cells;  // their numbers: one
  core::Stm nest;
  std::vector<core::Stm> results;  // by the results of the nest
};

// `body`: with names of its own. `results`: values of its results.
OnlyCell asOnlyCell(core::Program& program, core::Body body,
                    const std::vector<core::ValueId>& results, core::Span span);

}  // namespace halo::gpu
