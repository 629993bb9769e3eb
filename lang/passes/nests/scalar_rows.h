// Operators of reductions and scans may combine short rows: matrices of 2 x 2, compositions of
// functions of 4 states. They work on the rows' elements then, each a scalar of its own:
//
//   ys: [n][2]i8 = screma [n] (xs) scan (f: [2]i8, g: [2]i8) {
//     h: [2]i8 = screma [2] (f) map (x) { y = index g[x]; return y }; return h } ne
// becomes
//   (y0: [n]i8, y1: [n]i8) = screma [n] (xs) map (x: [2]i8) {
//     a = index x[0]; b = index x[1]; return a, b }
//     scan (f0, f1, g0, g1) { f = array {f0, f1}; g = array {g0, g1}; h = ..; return h[0], h[1] }
//     ne[0] ne[1]
//   ys: [n][2]i8 = screma [n] (y0, y1) map (a, b) { r = array {a, b}; return r }
//
// Templates of scans and reductions hold tuples of scalars in registers; an operator on arrays is
// one invocation's.
//
// Requires nothing. Ensures: no operator is left on rows of known size of up to 16 elements, all
// rows of an operator together. Exceptions are those that interchange.h takes element by element.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program scalarRows(const core::Program& program);

}  // namespace halo::passes
