// What neutral elements do to derivatives. `ne op x` and `x op ne` have the value of x, but not
// always its derivative. `if a > b then a else b` takes the second of two equal numbers, which may
// be the neutral one. The interpreter combines from the left and starts with it; engines put it at
// the end of each part as well.
#pragma once

#include "lang/ad/activity.h"

namespace halo::ad {

enum class NeutralElement {
  kKeeps,    // on either side the derivative is that of x
  kFirst,    // equal numbers: the first one counts (`min`, `max`), so on the right it is harmless
  kReplaces  // the operator chooses by numbers, and may choose it in place of x on either side
};

// Choices by bools keep it in segmented sums, `if g then b else a + b` with a neutral `false`. They
// replace it where they take the left operand itself or the right one.
NeutralElement neutralElementOf(const core::Program& program, const core::Lambda& op,
                                const Activity& activity);

}  // namespace halo::ad
