// Marks checked statements as proven where their check always holds.
//
//   ys_3: [n]f32 = screma [n] (is_2) map (i_4: i64) {          is_2: iota i64 [n] 0 1
//     x_5: f32 = index xs_1[i_4] @?                            xs_1: [n]f32
// becomes
//     x_5: f32 = index xs_1[i_4]
//
// Facts come from sizes (>= 0), loop indices, elements of iotas, min, max, mod, div, and. They come
// also from the condition of a match inside its arms, from checks and asserts that ran before, and
// from invariants of loops (loop_invariants.h). A kernel with one call knows how the host computed
// its scalars. Index, slice, update, integer division, and asserts whose condition follows.
//
// A division or remainder whose quotient is 0 or 1 becomes a comparison (short_quotients.h).
//
// Requires nothing. Ensures: only marks and divisions change, and asserts that hold go. Later
// passes must not move statements across each other: a proof may rest on a check in front of it.
//
// Why: a check in the innermost loop keeps it from vectorising and costs a GPU kernel its early
// exits. After a proof simplify may look through views, which checked statements forbid.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program proveBounds(const core::Program& program);

// Whether no check in the last of these statements can fail, whatever is checked around them.
bool cannotFail(const core::Program& program, const std::vector<core::Stm>& stms);

}  // namespace halo::passes
