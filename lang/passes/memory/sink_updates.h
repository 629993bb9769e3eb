// Branches whose arms all write the same element of an array give the value, and one update behind
// them writes it.
//
//   ys_3: [n]f32 = match t_4 {                     t_4: i64.eq i_2 0
//     true -> { as_5 = update xs_1[0] = v_6; return as_5 }
//     else -> { ..; bs_7 = update xs_1[i_2] = w_8; return bs_7 } }
// becomes
//   x_9: f32 = match t_4 { true -> { return v_6 } else -> { ..; return w_8 } }
//   ys_3: [n]f32 = update xs_1[i_2] = x_9
//
// Requires: the updates are proven (prove_bounds). Ensures: the same elements, and no update of one
// element is left that every arm of a branch does.
//
// Why: the passes behind see what a step of a loop writes (carry_elements, drop_fills), and
// branches without updates become selections.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program sinkUpdates(const core::Program& program);

}  // namespace halo::passes
