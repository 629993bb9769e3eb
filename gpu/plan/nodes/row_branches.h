// A branch of a cell whose arms give rows of one length, as a map over the row with the branch
// inside:
//
//   ys: [m]f32 = match b {
//     true -> { zs: [m]f32 = screma [m] (xs) map (x: f32) { z = f32.mul x 2f32; return z }
//               return zs }
//     else -> { zs: [m]f32 = replicate [m] 0f32;  return zs } }
// becomes
//   js: [m]i64 = iota i64 [m] 0i64 1i64
//   ys: [m]f32 = screma [m] (js) map (j: i64) {
//     y: f32 = match b {
//       true -> { x = index xs[j];  z = f32.mul x 2f32;  return z }
//       else -> { return 0f32 } }
//     return y }
//
// The rows then have a parallel statement that all cells share, though they differ in the arm that
// they take (distribute.h). Arms may hold cheap total code beside the maps that give their rows:
// every element computes it again. Branches of rows inside of arms come first.
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// Rows of scalars that are too long for the stores of one invocation.
bool isLongRow(const core::Operands& shape);
// The results of `row` as a map over the positions `at`, of which `element` gives the elements.
std::vector<core::Stm> mapOverRow(core::Program& program, const core::Stm& row, core::ValueId at,
                                  core::Body element);

core::Body withRowBranches(core::Program& program, const core::Body& body);

// The same in a nest whose cells, of so many levels at most, have a workgroup each (group_cells.h).
// Maps of such branches become nests of maps. Lanes then share all elements, and not only rows.
core::Stm withJoinedRows(core::Program& program, const core::Stm& nest, size_t cells);

}  // namespace halo::gpu
