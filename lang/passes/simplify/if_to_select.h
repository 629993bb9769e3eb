// Computes both arms of a small conditional and selects.
//
//   y_3: f32 = match c_1 {
//     true -> { z_2: f32 = f32.neg x_0; return z_2 }
//     else -> { return x_0 } }
// becomes
//   z_2: f32 = f32.neg x_0
//   y_3: f32 = select c_1 z_2 x_0
//
// Requires nothing. Ensures: no match on a bool is left whose arms are at most 8 cheap total scalar
// operations each and give scalars only. (No reads, no checks, no division by a value, no loops.)
//
// Why: a branch in the body of a loop keeps LLVM from vectorising it. On a GPU the invocations of a
// subgroup diverge. LLVM does the same only inside blocks that it already likes, and after
// the loop nest is chosen. Runs last, when the arms are as small as they get.
#pragma once

#include "lang/core/builder.h"

namespace halo::passes {

core::Program ifToSelect(const core::Program& program);
// The same for one statement; false: it is no such conditional.
bool appendSelects(core::Builder& builder, const core::Stm& stm);

}  // namespace halo::passes
