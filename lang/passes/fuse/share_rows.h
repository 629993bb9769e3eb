// Computes once the code that a nest repeats at every position of its outer node.
//
//   yss_3: [n][m]f32 = screma [n] (xs_1) map (x_4: f32) {
//     ys_5: [m]f32 = screma [m] (ws_2) map (w_6: f32) {
//       e_7: f32 = ..                       // dear, of w_6 alone
//       y_8: f32 = f32.mul x_4 e_7
//       return y_8 }
//     return ys_5 }
// becomes
//   es_9: [m]f32 = screma [m] (ws_2) map (w_10: f32) { e_11: f32 = ..; return e_11 }
//   yss_3: [n][m]f32 = screma [n] (xs_1) map (x_4: f32) {
//     ys_5: [m]f32 = screma [m] (ws_2, es_9) map (w_6: f32, e_12: f32) {
//       y_8: f32 = f32.mul x_4 e_12
//       return y_8 }
//     return ys_5 }
//
// Likewise further inside: code of the positions j and k of a nest over i, j, k becomes an array
// [m][k]. A reduction counts as such code if it gives scalars. One that fuse has joined with
// reductions that depend on i parts from these first (split_sums.h).
//
// Requires nothing. Ensures: only total code moves, at least kDear operations for each array that
// is made (row_costs.h). Scans and checks stay. An array of several dimensions is made only where
// the nest reads or makes one as large. Arrays stand in front of the outer node, from where `hoist`
// takes them further. The same operations run on the same values; a reduction of floats has the
// order of its new place, as if `hoist` had moved it.
//
// No statement moves between the levels of a nest with the attribute `only_intra`. An array for all
// of its cells would take a launch of its own; one between two levels would split the nest.
//
// Nodes in loops: share_steps.h. Read row_levels.h, row_arrays.h.
//
// Why: a cosine of the inner index is a hundred operations in each of n * m cells, and one load
// afterwards. `hoist` moves code that depends on no index; this is the same for all but one. What
// is left of a nest over i, j, k is often a product of matrices, which engines tile.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program shareRows(const core::Program& program);

}  // namespace halo::passes
