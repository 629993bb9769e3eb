// The code that a fused map, reduction or scan puts into a kernel for each element.
#pragma once

#include <unordered_set>
#include <vector>

#include "gpu/plan/limits.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// Whether a node's operators and map are straight code that may stand many times in a kernel. Its
// values have at most so many words.
bool isStraight(const core::Program& core, const core::Screma& screma, size_t most_words);
// Whether the workgroup that ends last may combine the values of all: workgroups see each other's
// values, and the operators' code is short enough to stand several times more.
bool lastGroupCombines(const core::Program& core, const std::vector<core::Reduction>& reductions,
                       const Limits& limits);
// Of the values of all reductions and scans, in words of 32 bits.
size_t valueWords(const core::Program& core, const core::Screma& screma);
// The same in bytes of memory.
int64_t valueBytes(const core::Program& core, const core::Screma& screma);

// The values that the levels around the innermost one bind.
std::unordered_set<core::ValueId> boundAround(const std::vector<const core::Screma*>& levels);

// Those of them that change with the index of level `which`.
std::unordered_set<core::ValueId> changingWith(const core::Program& program,
                                               const std::vector<const core::Screma*>& levels,
                                               size_t which);

// Whether the operators mean something else in each cell of the levels around.
bool mentionsLevels(const core::Program& core, const std::vector<const core::Screma*>& levels);

}  // namespace halo::gpu
