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

// An operator that chooses by numbers keeps what `identity_proof.h` can show it to keep.
NeutralElement neutralElementOf(const core::Program& program, const core::Lambda& op,
                                const core::Operands& neutral, const Activity& activity);

}  // namespace halo::ad
