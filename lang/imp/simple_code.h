// How simple code is: fit for lanes, elementwise. Of Core alone: core/lane_sums.h.
#pragma once

#include "lang/core/lane_sums.h"
#include "lang/imp/ir.h"

namespace halo::imp {

// May `kVector` loops have this body? Only scalar code, nothing carried.
bool isStraight(const Block& block);
// `isElementwise` is part of lower_body.h: kernels ask as well.

}  // namespace halo::imp
