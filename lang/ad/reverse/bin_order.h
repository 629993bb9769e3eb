// The positions of keys in stable order: a function of the kind that engines have templates for
// (passes/inline.h, isSort), made once for a program.
#pragma once

#include "lang/ad/emit.h"

namespace halo::ad {

// Of `keys: [width]u32`.
ValueId orderOf(Emitter& e, const Operand& width, ValueId keys);

}  // namespace halo::ad
