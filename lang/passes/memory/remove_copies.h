// Drops copies that no use can tell from their source.
//
//   ys_2: [n]f32 = screma [n] (xs_1) map ..
//   zs_3: [n]f32 = copy ys_2
//   ws_4: [n]f32 = update zs_3[i] = v       (ys_2 is not used any more)
// becomes
//   ys_2: [n]f32 = screma [n] (xs_1) map ..
//   ws_4: [n]f32 = update ys_2[i] = v
//
// A copy goes if neither it nor its source is ever consumed. It also goes if no alias of the source
// is used afterwards and the source may be consumed there. A fresh source, one bound in the same
// lambda or loop, and a `*` parameter may. A copy whose source is read before the copy stands
// behind these reads.
//
// Requires nothing. Ensures: the program still verifies, that is, uniqueness holds.
//
// Why: lowering copies wherever the language asks for a unique array. Most of these arrays have one
// owner anyway, and a copy costs as much as the map that made it.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program removeCopies(const core::Program& program);
// Of one function: other kernels keep theirs.
void removeCopies(core::Program& program, core::Function& function);

}  // namespace halo::passes
