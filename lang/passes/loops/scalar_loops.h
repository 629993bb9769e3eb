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
// A loop of few iterations is written out where its index gives places of such elements. They are
// numbers then: `w with [i] = w[i - 16] + w[i - 7]`, `sum + weights[i]`. An update of a known
// row at a number is a row of the new elements.
//
// Requires nothing. Ensures: loops of lambdas carry no row of up to 16 elements whose places are
// all known (element_uses.h). Rows of up to 64 elements dissolve with a loop that is written out.
// At most 64 iterations and 2048 statements come of one.
//
// Why: on a GPU an array of an invocation is memory unless each place in it is a number. Messages
// and states of hash functions are such arrays, and vectors of three coordinates. Drivers unroll
// loops after they have decided what is in memory. On a CPU cells that carry arrays allocate them,
// and do not run in lanes.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program scalarLoops(const core::Program& program);

}  // namespace halo::passes
