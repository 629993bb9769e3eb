// An index of a place (scope.h) for each cell of the space.
#pragma once

#include "lang/ad/scope.h"

namespace halo::ad {

// The index itself if it is an array already.
Operand spread(Emitter& emitter, const Operand& index, const Operands& space);

}  // namespace halo::ad
