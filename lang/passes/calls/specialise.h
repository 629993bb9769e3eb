// Stencils whose offsets only the run tells, and the sources of these: programs for one value of
// them.
//
//   entry main(d_1: i64, n_2: i64, os_3: [d_1]i64, xs_4: [n_2]f32) {
//     ys_5: [n_2]f32 = stencil [n_2] (window xs_4 clamp (os_3)) map (v: [d_1]f32) { .. } .. }
// for os = [-1, 0, 1] becomes
//   entry main(d_1: i64, n_2: i64, os_3: [d_1]i64, xs_4: [n_2]f32) {
//     os_6: [3]i64 = array i64 {-1i64, 0i64, 1i64}
//     ys_5: [n_2]f32 = stencil [n_2] (window xs_4 clamp (os_6)) map (v: [3]f32) { .. } .. }
//
// and static_offsets does the rest. The entry takes the same arguments.
//
// Why: with known offsets neighbours are in registers, boundaries are peeled, and steps are
// blocked.
#pragma once

#include <optional>
#include <vector>

#include "lang/core/ir.h"

namespace halo::passes {

bool hasDynamicWindows(const core::Program& program);

// Positions (behind the sizes) of this entry's parameters that offsets depend on, in a program
// after its passes: whole numbers and lines of i64. Empty: none, or others as well.
std::vector<size_t> decidingParams(const core::Program& program, const std::string& entry);

struct KnownParam {
  size_t position;  // behind the sizes
  bool is_array;
  std::vector<prim::Scalar> values;  // of a scalar: one; never empty
};
core::Program specialise(const core::Program& program, const std::string& entry,
                         const std::vector<KnownParam>& known);

}  // namespace halo::passes
