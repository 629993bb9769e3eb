// Shows that `ne op x` and `x op ne` have the derivative of x, by arithmetic on symbols.
//
//   (f, a) (g, b) -> (f || g, if g then b else a + b)  with the neutral element (false, 0)
//
// Left: `if g then b else 0 + b` is b. Right: `if false then 0 else a + 0` is a. Each rule, such as
// `0 + x = x`, holds of derivatives as well: none of them asks for the value of x.
#pragma once

#include "lang/ad/activity.h"

namespace halo::ad {

// Of the components with a derivative. `min` and `max` of both operands are taken to give x, of
// which the first one counts (NeutralElement::kFirst).
bool keepsOperands(const core::Program& program, const core::Lambda& op,
                   const core::Operands& neutral, const Activity& activity);

}  // namespace halo::ad
