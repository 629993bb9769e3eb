// Loops of an entry in pieces, with a checkpoint behind each.
//
//   entry main(n: i64, steps: i64, u: [n]f32) -> ([n]f32) {
//     t: [n]f32 = loop (v: [n]f32 = u) for i < steps do { w = screma [n] (v) ..; return w }
//     return t }
// becomes
//     (start: i64, r: [n]f32) = call move.resume (0, u)
//     goes = start < steps
//     (_, _, t: [n]f32) = loop (s = start, g = goes, v: [n]f32 = r) while g do {
//       left = steps - s
//       k = call move.steps (0, left)
//       x = loop (y: [n]f32 = v) for j < k do { i = s + j; w = screma [n] (y) ..; return w }
//       next = s + k
//       again = next < steps
//       z = call move.save (0, next, again, x)
//       return z, again, x }
//     return t
//
// Requires: the shared passes (pipeline.h). Ensures: loops at the outermost level of each entry
// whose carried arrays keep their shapes are in pieces, numbered in their order; all others stay.
// Each piece is a loop of the same steps, so that results keep their bits.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

// `count`: the loops in pieces.
core::Program checkpoint(const core::Program& program, int* count = nullptr);

}  // namespace halo::passes
