// Guarded products in their short form, behind the last derivative.
//
//   z = f32.eq t 0; a = f32.abs f; b = f32.lt a inf; n = bool.not b; c = bool.and z n
//   p = f32.mul t f; r = select c 0 p
// becomes
//   z = f32.eq t 0; p = f32.mul t f; r = select z 0 p
//
// Requires: no derivative of these statements is asked for. Ensures: the same values; a zero may
// have another sign.
//
// Why: the long form (Emitter::scaled) has the derivative f by t where t is 0, the short one has
// none there. Operators of scans for k numbers have k^2 guards, each of which loses four
// statements.
#pragma once

#include "lang/core/ir.h"

namespace halo::ad {

core::Program shortGuards(core::Program program);

}  // namespace halo::ad
