// Branches on one condition as straight code: both arms are computed, and their common part once.
// Where the arms end in the same operation its operands are selected, not its results:
//
//   r = match c { true -> { a = f32.sub x y; b = f32.div a k; return b }
//                 else -> { d = f32.sub z y; e = f32.div d k; return e } }
// becomes
//   s = select c x z;  t = f32.sub s y;  r = f32.div t k
//
// Bits stay: each arm's operations see the operands that the arm gave them. The cheaper of both
// forms is taken, by a count of operations.
#pragma once

#include <functional>

#include "lang/core/ir.h"

namespace halo::passes {

// Replaces every conditional of `body` whose condition satisfies `always`, or whose arms are short,
// innermost first. Arms with statements that may fail or read memory stay.
void mergeArms(core::Program& program, core::Body& body,
               const std::function<bool(const core::Operand&)>& always);

}  // namespace halo::passes
