// Loops take over the arrays they carry, so that their bodies may change them in place.
//
//   ys_9: [n]f32 = loop (a_2: [n]f32 = xs_1) for i_3 < n do {
//     t_4: [n]f32 = copy a_2
//     u_5: [n]f32 = update t_4[i_3] = 0f32
//     return u_5 }
// becomes
//   c_6: [n]f32 = copy xs_1
//   ys_9: [n]f32 = loop (*a_2: [n]f32 = c_6) for i_3 < n do { .. the same }
//
// Only where the body copies its carried array, and where its result has no other owner. The result
// is fresh, or another array that the loop takes over, and is returned once.
//
// Requires nothing. Ensures: remove_copies, which runs behind, may drop the copy inside, and the
// one in front if the initial value has no other use.
//
// Why: the language lets a loop's parameter be updated in place; without this each iteration copies
// the whole array for the sake of one element.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program ownLoops(const core::Program& program);
void ownLoops(core::Program& program, core::Function& function);

}  // namespace halo::passes
