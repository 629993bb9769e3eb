// f32 divisions and roots that do not wait for each other, next to each other.
#pragma once

#include <unordered_set>

#include "gpu/raise/division/known_divisors.h"

namespace halo::gpu {

// Whether the statement, or its division by a divisor known before, reads one of these variables.
bool dependsOn(const imp::Stm& stm, const std::unordered_set<imp::VarId>& vars,
               const KnownDivisors& known);

// Groups of up to `together`, in every run of statements that only bind variables.
imp::Block gatherDivisions(const imp::Block& block, const KnownDivisors& known, size_t together);

}  // namespace halo::gpu
