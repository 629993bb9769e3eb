// Sums of products that a loop adds up, as one product over all steps behind it.
//
//   c: [k][m]f32 = loop (a: [k][m]f32 = a0) for i < n {
//     s: [k][m]f32 = screma [k] (x') map { screma [m] (y') map { screma [b] .. reduce f32.add } }
//     return a + s }                               x: [b][k]f32, y: [b][m]f32, of the step
// becomes
//   (xs: [n][b][k]f32, ys: [n][b][m]f32) = loop .. for i < n { return xs with [i] = x, .. }
//   c = a0 + screma [k] .. screma [m] .. screma [n * b] .. reduce f32.add
//
// Such are the cotangents of a recurrent network's weights. One long product takes the place of a
// short one in each step, and of an addition to all weights. Rows that the step reads of an array
// are not stored again. Sums of rows go along where the loop stores their elements anyway.
//
// Needs: sums of two dimensions or more, which add up the outermost dimension of their inputs.
// That has the shape of a row that the step reads of an array: its tape is no larger than that
// array. Nothing else in the loop reads the sum.
// Ensures: the same terms in another order.
#pragma once

#include "lang/core/ir.h"

namespace halo::ad {

core::Program sumBehindLoops(core::Program program);

}  // namespace halo::ad
