// The size of a register tile's code, before it is made: common values of neighbouring cells count
// once, as templates share them.
#pragma once

#include "gpu/schedule/schedule.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// Nothing but values made from values: no branches, loops, elements of arrays that are stored.
bool isArithmetic(const core::Function& kernel, const core::Body& cell);

// Statements of an invocation's cells, those of exact divisions included. `offsets`: of unaligned
// rows, by axis but the last; empty for rows of whole vectors.
size_t tileCode(const core::Function& kernel, const RegisterTileSchedule& tile,
                const std::vector<int64_t>& offsets);

}  // namespace halo::gpu
