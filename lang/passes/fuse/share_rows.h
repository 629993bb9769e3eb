// Computes once the code that all rows of a nest repeat for an inner position.
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
// Requires nothing. Ensures: only scalar code that is total moves, at least kDear operations for
// each array that is made. The rest, reductions and scans included, stays as it is. Arrays are
// made in front of the outer node, from where `hoist` takes them further.
//
// Nothing moves between the levels of a nest with the attribute `only_intra`: an array for all of
// its cells would take a launch of its own, one between two levels would part the nest.
//
// Nodes in loops: share_steps.h.
//
// Why: a cosine of the inner index is a hundred operations in each of n * m cells, and one load
// afterwards. `hoist` moves code that depends on no index; this is the same for one of two.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program shareRows(const core::Program& program);

}  // namespace halo::passes
