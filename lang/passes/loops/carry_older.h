// Carries the older value of an array instead of its negative.
//
//   (xs_1, ys_2) = loop (a_3 = as_0, b_4 = bs_0) for i_5 < k_6 do {
//     c_7: [n]f64 = screma [n] (b_4) map (x_8: f64) { y_9: f64 = f64.neg x_8; return y_9 }
//     d_10: [n]f64 = screma [n] (a_3, b_4) map (x_11: f64, y_12: f64) {
//       z_13: f64 = f64.add x_11 y_12
//       return z_13 }
//     return c_7, d_10 }
// becomes
//   older_14: [n]f64 = screma [n] (as_0) map (x_15: f64) { .. f64.neg x_15 .. }
//   (older_16, ys_2) = loop (older_17 = older_14, b_4 = bs_0) for i_5 < k_6 do {
//     d_10: [n]f64 = screma [n] (older_17, b_4) map (x_18: f64, y_12: f64) {
//       z_13: f64 = f64.sub y_12 x_18
//       return z_13 }
//     return b_4, d_10 }
//   xs_1: [n]f64 = screma [n] (older_16) map (x_19: f64) { .. f64.neg x_19 .. }
//
// Requires whole nests and plain results of loops, as before raise_nests. Ensures: the same bits,
// for a number negated twice is the number. Only nodes read `a_3`, as inputs: they subtract what
// they added, or negate what they read. Neither array is consumed. Loops in cells stay as they are,
// their arrays are short.
//
// An engine hands an array on without a copy, so a step stores one array less. The adjoint of a
// step that subtracts the state before the last, as those of waves do, has this form:
// `next = 2 * now - before + ..` gives `before_bar = -next_bar`.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program carryOlder(const core::Program& program);

}  // namespace halo::passes
