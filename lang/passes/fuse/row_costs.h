// What code costs, in operations, and what an array instead of it must save.
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::passes {

// Operations that a statement, or one arm of each branch in it, costs about.
size_t stmCost(const core::Stm& stm);

// A load from a cache counts as about 8 operations (an estimate: a GPU's second-level cache gives
// some 16 words a clock where 128 lanes compute). From memory it costs more, but then the nest's
// other inputs do as well. An exponential takes 34 operations, a logarithm about 40.
inline constexpr size_t kDear = 24;
// A table of steps (share_steps.h) is read behind a branch, at positions that are computed.
inline constexpr size_t kDearStep = 40;
inline constexpr size_t kMaxArrays = 4;  // of one node

}  // namespace halo::passes
