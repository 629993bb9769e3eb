// Arrays of few elements that a cell's loop carries, as scalars.
//
//   v_5: [2]f32 = loop (v_1: [2]f32 = v_0) for i_2 < steps do {
//     a_3: f32 = index v_1[0]
//     v_4: [2]f32 = array f32 {a_3, x}
//     return v_4 }
// becomes
//   (a_8: f32, b_9: f32) = loop (a_6: f32 = .., b_7: f32 = ..) for i_2 < steps do {
//     v_1: [2]f32 = array f32 {a_6, b_7}
//     a_3: f32 = index v_1[0]
//     v_4: [2]f32 = array f32 {a_3, x}
//     return a_3, x }
//   v_5: [2]f32 = array f32 {a_8, b_9}
//
// A loop of few iterations that reads or writes such elements at places its index gives is written
// out, so that each place is a number: `w with [i] = w[i - 16] + w[i - 7]`, `sum + weights[i]`. An
// update of a row of known elements at a number is a row of the new elements.
//
// Requires nothing. Ensures: in lambdas no loop is left that carries a row of up to 16 elements
// (64, where the loop is written out) all uses of which are at such places (element_uses.h). At most 64
// iterations and 3072 statements come of a loop.
//
// Why: on a GPU an array of an invocation is memory unless each place in it is a number. Messages
// and states of hash functions, vectors of three coordinates and states of generators of random
// numbers are such arrays. Drivers unroll loops after they have decided what is in memory.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program scalarLoops(const core::Program& program);

}  // namespace halo::passes
