// How simple code is: fit for lanes, with commutative operators, elementwise.
#pragma once

#include "lang/core/ir.h"
#include "lang/imp/ir.h"

namespace halo::imp {

// Scalar code without loops and failures, which may run in lanes.
bool isSimple(const core::Program& core, const core::Body& body);
// May `kVector` loops have this body? Only scalar code, nothing carried.
bool isStraight(const Block& block);
// Is each result a commutative primitive of its own pair of parameters?
bool isCommutativeTuple(const core::Lambda& op);
// `isElementwise` is part of lower_body.h: kernels ask as well.

}  // namespace halo::imp
