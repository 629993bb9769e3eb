// Updates at fixed places of a grid that a time step has just made become choices of its cells.
//
//   r = loop (u: [n][m]f32 = u0) for t < steps do {
//     v: [n][m]f32 = screma [n] .. map .. screma [m] ..          made by a nest of maps
//     a: f32 = index v[p, q]
//     b: f32 = f32.add a s                                       s: of the step
//     w: [n][m]f32 = update v[p, q] = b
//     return w }
// becomes
//   r = match (0 <= p && p < n && 0 <= q && q < m) {
//     true -> { loop .. { v = ..
//       w = screma [n] (is, v) map (i, row) { screma [m] (js, row) map (j, a) {
//         b = f32.add a s; c = select (i == p && j == q) b a; return c } }
//       return w } }
//     else -> { the loop as it was } }
//
// Rows are updated by scalars alike: `v with [p] = replicate m s`.
//
// Requires nothing. Ensures: a step whose only other statements are nests of maps and scalar code
// has no update of an element or a row of the array that a nest has just made, of two dimensions
// or more, where the places are the same in all steps and nothing else reads that array.
//
// Why: sources and fixed values stand in the way of steps that are done several at once. The new
// nest reads own elements alone, so it is part of the stencil in front of it.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program updateCells(const core::Program& program);

}  // namespace halo::passes
