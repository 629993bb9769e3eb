// Sizes that steps of a loop return, and their upper limits.
//
//   loop (k = n, ys: [k]t = xs) .. { .. kept, count = call main_2 (k, ys);  return count, .. }
//
// Here `count` is at most `k`, which is at most `n`.
#pragma once

#include <optional>

#include "lang/core/ir.h"

namespace halo::gpu {

// Sizes from outside of the loop: the size at this position is never above the largest of them and
// of its initial value. Nothing, if a step may return more than it has.
std::optional<core::Operands> carriedLimits(const core::Program& program, const core::Loop& loop,
                                            size_t position);

}  // namespace halo::gpu
