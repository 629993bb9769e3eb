// Sums of rows to which cells add few elements are histograms of these elements.
//
//   rows: [n][d]f32 = screma [n] (..) map (..) { loop (r = zeros) for j < steps { r[i] += v } }
//   s: [d]f32 = screma [n] (rows) reduce (row by row) f32.add zeros
// becomes
//   counts: [n]i64 = screma [n] (..) map (..) { return steps };  total = sum of counts
//   is_less = 4 * total <= n * d
//   rows = match is_less { true -> none; else -> as before }
//   s = match is_less {
//     true -> owners: [total]i64 = the cell of each step
//             is, vs: [total].. = screma [total] (owners, iota) map { .. return i, v }
//             hist [total] (is, vs) op (zeros) rank 1 f32.add
//     else -> as before }
//
// Likewise `hist [n] (ks, rows)`, which adds rows to rows. Such rows are the cotangents of what
// cells read at places of their own, as often as they want: the vector of a product with a sparse
// matrix. Needs: a map in host code that cannot fail, rows that nothing else reads,
// steps that are cheap to count (cell_additions.h).
// Ensures: the same terms in another order. After all differentiation.
//
// Why: the rows have n * d numbers, of which the reads have used `total`.
#pragma once

#include "lang/core/ir.h"

namespace halo::ad {

core::Program sumRaggedly(core::Program program);

}  // namespace halo::ad
