// Sums that most cells of a table want, in front of the branch that leaves them out:
//
//   screma [n] (is) map (i) { screma [n] (is) map (j) {
//     b = i64.eq i j
//     y = match b { true -> { return 1f32 }
//                   else -> { xs = index xss[i];  ys = index yss[j]
//                             s = screma [m] (xs, ys) map f32.mul reduce f32.add 0f32
//                             return s } }
// becomes
//     xs = index xss[i];  ys = index yss[j];  s = screma [m] (xs, ys) map f32.mul reduce ..
//     b = i64.eq i j
//     y = match b { true -> { return 1f32 } else -> { return s } }
//
// All sums together are then a product of matrices, whose kernels share their reads. Masked sums
// (branch_sums.h) read all rows for each cell. The condition compares positions of the cell. For
// `==` one cell of a row leaves the sum out, for `<` about half of a square table. Correlations
// and scores of a causal attention are such tables; rectangles and narrow bands stay as they are.
// Rows are at positions: they exist whether the arm is taken or not.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

// In the tables that the host code makes.
void takeUsualSums(core::Program& program, core::Body& host);

}  // namespace halo::gpu
