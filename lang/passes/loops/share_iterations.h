// Computes once, in front of a loop, what a node in it repeats at each position in every iteration.
//
//   ys_1: [n]f64 = loop (xs_2: [n]f64 = xs_0) for i_3 < k_4 do {
//     zs_5: [n]f64 = screma [n] (js_6, xs_2) map (j_7: f64, x_8: f64) {
//       e_9: f64 = ..                       // dear, of j_7 alone
//       z_10: f64 = f64.mul e_9 x_8
//       return z_10 }
//     return zs_5 }
// becomes
//   es_11: [n]f64 = screma [n] (js_6) map (j_12: f64) { e_13: f64 = ..; return e_13 }
//   ys_1: [n]f64 = loop (xs_2: [n]f64 = xs_0) for i_3 < k_4 do {
//     zs_5: [n]f64 = screma [n] (js_6, xs_2, es_11) map (j_7: f64, x_8: f64, e_9: f64) {
//       z_10: f64 = f64.mul e_9 x_8
//       return z_10 }
//     return zs_5 }
//
// This is share_rows.h with a loop as the outer node. Likewise in nodes that stand in each other.
//
// Requires nothing. Ensures: only total code moves, at least kDearIteration operations for each
// array (row_costs.h). The node reads an array as large that the loop finds or carries, so that one
// without iterations needs no more memory. Loops in cells stay as they are: an array for each cell
// is more memory than the loop needs. The same operations run on the same values.
//
// Examples are the power of a node of a tree, the damping of a cell at a border, the window of a
// signal. They cost 50 to 300 operations in every step; a load replaces them. The rest of a step is
// often short enough to be a stencil of several steps at once.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program shareIterations(const core::Program& program);

}  // namespace halo::passes
