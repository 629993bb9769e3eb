// Operators whose derivative does not depend on the order in which elements are combined. That of a
// smooth associative operator is associative as well, that of one with a kink need not be.
// `(a + b + |a - b|) / 2` has half of each derivative at equal numbers. Then `(a op b) op c` has a
// quarter of a's, and `a op (b op c)` half of it.
#pragma once

#include "lang/ad/activity.h"
#include "lang/core/definitions.h"

namespace halo::ad {

// Harmless are choices of one whole operand, and `min` and `max` of one component of both: equal
// numbers count on the same side. So are conditions on other values than differentiated numbers.
bool isOfAnyOrder(const core::Program& program, const core::Lambda& op, const Activity& activity);

// A condition of `Emitter::scaled` that holds at finite products.
bool isGuard(const core::Select& select, const core::Definitions& definitions);

// No derivative passes from any operand, and the result is a number: a roundness, a sign.
bool isStep(const core::PrimOp& node);

}  // namespace halo::ad
