// An index of a place (scope.h) for each cell of the space.
#pragma once

#include "lang/ad/scope.h"

namespace halo::ad {

// Index `i` with its shift as an array, or a number if the space is empty. It is no axis.
Operand spread(Emitter& emitter, const Place& place, size_t i);

}  // namespace halo::ad
