// How often each digit comes up in the keys of a radix sort (sort_tile.h).
#pragma once

#include "gpu/templates/sort/sort_tile.h"

namespace halo::gpu {

// For tiles that know nothing of each other: counts and totals of the digit at `shift`.
void countTiles(imp::Program& program, imp::Builder& host, const KernelCall& call,
                const SortSchedule& shape, const SortPass& pass);

// For tiles that look back: totals of all digits by reading the keys once, and an empty state.
void countDigits(imp::Program& program, imp::Builder& host, const KernelCall& call,
                 const SortSchedule& shape, const SortPass& pass);

}  // namespace halo::gpu
