// f16 in terms of f32 and u32, for devices without halves. In integers throughout: how a device
// rounds when it packs halves, and whether it keeps the small ones, is its own affair.
#pragma once

#include "lang/imp/builder.h"

namespace halo::gpu {

// The f32 next to `value` (f32) that is a half; ties to even, as one operation of f16 rounds.
imp::Operand roundedToHalf(imp::Builder& code, imp::Operand value);
// An f32 that is a half as its 16 bits (u32), and back.
imp::Operand halfBits(imp::Builder& code, imp::Operand value);
imp::Operand floatOfHalfBits(imp::Builder& code, imp::Operand bits);

}  // namespace halo::gpu
