// Writes the functions that a program asks for by calls such as `vjp.1.1.f`
// (lang/core/derivative_name.h). Innermost operators come first, so that derivatives of derivatives
// need no rules of their own.
//
//   fn f(c_1: f32, x_2: f32) -> (f32) { y_3: f32 = f32.mul c_1 x_2; return y_3 }
//   entry main(c_4: f32, x_5: f32) -> (f32) {
//     (y_6: f32, t_7: f32) = call vjp.1.1.f (c_4, x_5, 1f32)
//     return t_7 }
// becomes
//   entry main(c_4: f32, x_5: f32) -> (f32) {
//     y_8: f32 = f32.mul c_4 x_5
//     return c_4 }
//
// Requires nothing. Ensures: no call of a derivative; functions with derivatives are simplified
// with known windows and without calls, others as they were. Programs without derivatives stay as
// they are. Fails with engine_unsupported, which names the construct.
//
// Why before all other passes: rules see single maps, reductions and stencils. Arrays are consumed
// as fresh copies only, so the values of the forward sweep are still there on the way back. Fusion
// and all other passes work on the result as on a program that was written so.
#pragma once

#include "lang/ad/reverse/journal.h"
#include "lang/ad/reverse/loop_hints.h"
#include "lang/core/ir.h"
#include "lang/types/checked.h"

namespace halo::ad {

bool hasDerivatives(const core::Program& program);
diag::Result<core::Program> differentiate(core::Program program, const LoopHints& hints = {},
                                          const Journal::Explain& explain = {});

// The input of engines: the lowered entry, without calls of derivatives.
diag::Result<core::Program> lower(const types::Program& program, types::DefId entry,
                                  const Journal::Explain& explain = {});

}  // namespace halo::ad
