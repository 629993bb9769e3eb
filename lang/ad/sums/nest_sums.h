// Sums over the rows that a map of nests of maps makes: a nest over the row around a sum over the
// map. So no row of rows is stored for each cell.
//
//   ys: [n][k][m]f32 = screma [n] (xs, gs) map (x: [m]f32, g: f32) { .. y: [k][m]f32 .. }
//   s: [k][m]f32 = screma [n] (ys) reduce (row by row) f32.add zeros
// becomes
//   bs: [n][k]f32 = screma [n] (xs, gs) map (x: [m]f32, g: f32) { .. what elements of y share .. }
//   s: [k][m]f32 = screma [k] (bs') map { screma [m] (xs') map { screma [n] .. reduce f32.add } }
//
// Such sums are the cotangents of arrays around a map: of matrices, means, weights. `bs'` and `xs'`
// are views with axes in the order of the nest. So the cotangent of a product is a product.
//
// Needs: elements that are scalar code (nest_elements.h) over arrays of fewer dimensions than there
// are axes, no other reader of the rows. Ensures: the same terms in the same order.
#pragma once

#include "lang/core/ir.h"

namespace halo::ad {

core::Program sumNests(core::Program program);

}  // namespace halo::ad
