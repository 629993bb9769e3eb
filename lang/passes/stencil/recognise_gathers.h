// Map nests that read neighbours by index become stencils, so that both spellings have the same
// speed.
//
//   is: [n]i64 = iota i64 [n] 0 1
//   ys: [n]f32 = screma [n] (is) map (i: i64) {           flags: [n]bool = replicate [n] true
//     first: bool = i64.eq i 0                            ys: [n]f32 = stencil [n]
//     j: i64 = i64.sub i 1                                  (window xs clamp {-1, 0},
//     left: i64 = select first i j                           window flags constant false {-1})
//     a: f32 = index xs[left]                               map (a: f32, b: f32, has: bool) {
//     b: f32 = index xs[i]                                    first: bool = bool.not has
//     .. first ..  }                                          .. first .. }
//
// A neighbour's index is the position plus one offset, clamped or wrapped at the ends, in every
// class of cells (cell_classes.h) that reaches it. A neighbour that only some cells read,
// behind a test of the position, is clamped. Tests of the position that remain are read from a
// window on an array of `true` with `false` outside. Inside of an array they are constants, so code
// generators that peel boundaries have no tests in the interior. A position that is a value of its
// own, as in `(i + j) % 2` or `i == 37`, is a parameter of the stencil's cell.
//
// One array has several neighbours, or several have different ones. Or a stencil of the same body
// makes an array: own elements suffice then, and fuse can join the two stencils.
// Rows at a place that the nest does not choose (`tape[step, i - 1]`) are arrays of their own, if
// every cell reads them: a row that only branches read may lie outside of the array.
//
// Branches on positions become selects, and equal operations in their arms one operation on
// selected operands (merge_arms.h). Code generators for stencils take straight code.
//
// Requires scalar bodies: loops over a neighbourhood are written out by unroll before. Ensures: no
// check is lost. A check may hold, or i32 arithmetic be exact, for certain extents only. A match on
// the extents then keeps the nest as it was for all others. It stands outside of the loop around
// it. Nests inside of parallel nodes, and flags that a compaction counts (counted_flags.h) stay.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program recogniseGathers(const core::Program& program);

}  // namespace halo::passes
