// Reductions of rows whose values are reduced again become one reduction of all elements.
//
//   rows_4: [n]i32 = screma [n] (xss_1) map (row_2: [m]i32) {
//     r_3: i32 = screma [m] (row_2) reduce i32.add 0i32
//     return r_3 }
//   s_5: i32 = screma [n] (rows_4) reduce i32.add 0i32
// becomes
//   k_6: i64 = i64.mul n m
//   xs_7: [k_6]i32 = reshape [k_6] xss_1
//   s_5: i32 = screma [k_6] (xs_7) reduce i32.add 0i32
//
// Maps of the rows in front of the inner reduction become nests of their own. Further levels follow
// from the outermost two.
//
// Requires nothing. Ensures: results are the same bits. The operator is one operation of integers
// or truth values, or `min` or `max`; its neutral element combined with itself is itself. The
// arrays are dense in row-major order.
//
// Why: `any (any p)` and `i64.sum (map i64.sum xss)` took two kernels, the second of few elements.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program nestedReductions(const core::Program& program);

}  // namespace halo::passes
