// Placement of allocations in finished functions, where lifetimes are explicit:
// - a small array of constant size that is freed in its own block becomes private memory;
// - an array that a loop allocates and frees in every iteration, of a size known before it, is
//   allocated once around it:
//
//   for i in 0 .. n { alloc row[m]; ..; free row }   ->   alloc row[m]; for i .. { .. }; free row
//
// LLVM could do neither: to it an allocation is a call with effects.
#pragma once

#include "lang/imp/ir.h"

namespace halo::imp {

inline constexpr int64_t kPrivateBytes = 512;  // of one array

void placeAllocations(Program& program, Function& function);

}  // namespace halo::imp
