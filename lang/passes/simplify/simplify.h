// Makes programs smaller and plainer without changing any result or failure.
//
//   a_2: i64 = i64.add n_1 0
//   xs_3: [a_2]f32 = replicate [a_2] 1f32
//   x_4: f32 = index xs_3[i_5]
//   y_6: f32 = f32.mul x_4 k_7
//   z_8: f32 = f32.mul k_7 1f32
// becomes
//   (nothing, with y_6 and z_8 both known as k_7)
//
// Parts, each a walk over a function, repeated until none finds anything:
//   rules.cpp         constants, algebra (a table), copies, index of known arrays, views of views,
//                     matches and loops with known scrutinee or bound
//   rules_nodes.cpp   scremas, stencils, scatters: duplicate inputs, replicated inputs,
//                     results that are inputs or invariant
//   rules_windows.cpp windows of stencils: each neighbour of an array once
//   invariant_carried.cpp scalars that loops carry and never change, through nested loops
//   cse.cpp           equal statements are computed once
//   dce.cpp           dead code is dropped, also results, inputs and carried values of nodes
//
// Requires nothing. Ensures: no Literal, no match on a constant. A checked statement is dropped
// only where it cannot fail or an equal one ran before; nothing moves. Idempotent.
//
// In programs that ask for derivatives, bits and bools may have some: the derivative of `x && true`
// is the one of `true`. Rules that keep values only leave these alone.
//
// Why: lowering and every other pass write the obvious code and leave the cleaning to this one.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program simplify(const core::Program& program);
// In place, the `wanted` functions by position; which of them it has changed. Rules that wait until
// no function asks for derivatives may wait for the next pipeline.
std::vector<bool> simplifyFunctions(core::Program& program, const std::vector<bool>& wanted);

}  // namespace halo::passes
