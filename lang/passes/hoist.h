// Moves what does not change out of lambdas and loops.
//
//   ys_3: [n]f32 = screma [n] (xs_1) map (x_4: f32) {
//     s_5: f32 = screma [m] (ws_2) reduce f32.add 0f32
//     y_6: f32 = f32.div x_4 s_5
//     return y_6 }
// becomes
//   s_5: f32 = screma [m] (ws_2) reduce f32.add 0f32
//   ys_3: [n]f32 = screma [n] (xs_1) map (x_4: f32) { y_6: f32 = f32.div x_4 s_5; return y_6 }
//
// Requires nothing. Ensures: no statement stands in a lambda or loop that depends on nothing bound
// there and could run before it. Left inside: what may fail or not end (the space may be empty),
// reads of elements, views that may lie outside of their arrays and divisions (their proof may lie
// in there), fresh arrays that are consumed, and everything under a match (it may not run at all).
//
// Why: a reduction inside a map is asymptotic; LLVM hoists scalars only, and GLSL compilers across
// invocations not even those.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program hoist(const core::Program& program);

}  // namespace halo::passes
