// Large invariant code of a loop that may have no iteration: it leaves the loop together with it.
//
//   ys_2: [n]f32 = loop (ys_3: [n]f32 = xs_1) for i_4 < k_5 do {
//     t_6: [n][n]f32 = screma [n] (xs_1) map .. ; .. }
// becomes
//   t_7: bool = i64.le k_5 0i64
//   ys_2: [n]f32 = match t_7 {
//     case true => return xs_1
//     otherwise =>
//       t_8: [n][n]f32 = screma [n] (xs_1) map ..
//       ys_9: [n]f32 = loop (ys_10: [n]f32 = xs_1) for i_11 < k_5 do { .. }
//       return ys_9 }
//
// In front of the loop, a table of n * n elements could take all memory, or hours, of a program
// that never asks for it.
#pragma once

#include <vector>

#include "lang/core/builder.h"

namespace halo::passes {

// The bound, or the condition of the first iteration.
core::Operand decidesToRun(const core::Loop& loop);
// Whether it has no iteration.
core::Operand noIteration(core::Builder& builder, const core::Loop& loop);

// `none`: it has no iteration. `stm`, a loop, becomes the match.
void guardLoop(core::Program& program, core::Stm& stm, std::vector<core::Stm> large,
               const core::Operand& none);

}  // namespace halo::passes
