// The positions of keys in stable order. It is a function that engines have templates for
// (passes/inline.h, isSort), made once for a program.
#pragma once

#include "lang/ad/emit.h"

namespace halo::ad {

// Of `keys: [width]u32`.
ValueId orderOf(Emitter& e, const Operand& width, ValueId keys);

}  // namespace halo::ad
