// Sequential loops whose iterations are independent, because each changes its own part of the
// arrays that the loop carries:
//
//   a' = loop (*a = a) for j < m do {
//     x = index a[i, j]
//     y = index a[k, j]
//     b = update a[i, j] = x - f * y
//     return b }
//
// Here row i loses a multiple of row k, as in an elimination of unknowns. All accesses have the
// same place in the second dimension, `j`, which differs from iteration to iteration.
// It is no map for the language: other parts of `a` stay. LLVM does not see it either, because it
// cannot show that rows `i` and `k` are the same or have no element in common.
#pragma once

#include "lang/core/ir.h"

namespace halo::imp {

// Does no iteration read or write an element of a carried array that another one writes? Only
// loops of straight code that carry arrays alone.
bool hasDisjointUpdates(const core::Program& core, const core::Loop& loop);

}  // namespace halo::imp
