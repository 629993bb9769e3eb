// Flags that a compaction counts: a map gives them, perhaps through further maps, a scan that adds
// them gives places, and a scatter moves elements there.
//
//   flags: [n]bool = screma [n] (is) map ..              whether an element stays
//   ones: [n]i64 = screma [n] (flags) map ..             1 or 0
//   ends: [n]i64 = screma [n] (ones) scan i64.add 0
//   kept: [n]f32 = scatter [n] (ones, ends, xs) map ..
//
// Such a map fuses with the scan and the scatter, so that flags are in no memory. A stencil does
// not: its elements would be stored, and read twice. Where something else reads the places, or
// another scan of the width joins this one, the flags are stored anyway, and a stencil makes them.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

// Whether `flags`, a result of a statement in front of `next`, are read by such nodes alone, and by
// sums.
bool areCounted(const core::Program& program, core::ValueId flags,
                const std::vector<core::Stm>& stms, size_t next, const core::Operands& results);

}  // namespace halo::passes
