// Operators that may fail meet elements alone, never the neutral elements that fill idle lanes.
//
//   (i_3: i64) = screma [n_0] (xs_1) map (x_4: i64) { return x_4 }
//     reduce (a_5: i64, b_6: i64) { .. w[a_5] .. w[b_6] .. } (-1i64)
// becomes
//   j_7: [n_0]i64 = iota i64 [n_0] 0i64 1i64
//   (h_8: bool, i_3: i64) = screma [n_0] (xs_1, j_7)
//     map (x_4: i64, k_9: i64) {
//       f_10: bool = i64.eq k_9 0i64
//       y_11: i64 = match f_10 { true -> { .. op(-1i64, x_4) .. } else -> { return x_4 } }
//       return true, y_11 }
//     reduce (h_12: bool, a_5: i64, h_13: bool, b_6: i64) {
//       .. h_12 || h_13, and op(a_5, b_6) if both are elements, else the one that is .. }
//       (false, -1i64)
//
// The same in scans, stencils and histograms, whose destinations are elements.
//
// Requires that prove_bounds has run: an operator whose checks always hold stays as it is. Ensures:
// such an operator is applied to the neutral element where the interpreter does so, once, in front
// of the first element.
//
// Why: lanes and workgroups begin at the neutral element, and runs are filled up with it. So the
// operator meets two of them, or one on the right. It may fail on these alone: `w[i] > w[j]` with
// the neutral index -1. In algebra: an identity is adjoined to the semigroup of the elements.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program adjoinIdentities(const core::Program& program);

}  // namespace halo::passes
