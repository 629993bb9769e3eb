// Vector loops that branch on a comparison of their index with an invariant become loops over the
// pieces in which the answer is known. Branches with one answer in all iterations go around the
// loop.
//
//   for i in lo .. hi vector {              at = min(max(k, lo), hi)
//     if i < k { f } else { g } }           for i in lo .. at vector { f }
//                                           for i in at .. hi vector { g }
//
// Programs compute borders so, and triangles. A vector loop with the branch inside would do both
// sides under masks and gather the loads of its branches. LLVM splits no loops.
//
// Kernels: the same of innermost sequential loops. Their first iteration often is a case of its
// own, and the pieces load without a condition.
#pragma once

#include "lang/imp/ir.h"

namespace halo::imp {

enum class LoopsToSplit : uint8_t { kVector, kInnermost };
void splitLoops(Program& program, Function& function, LoopsToSplit which = LoopsToSplit::kVector);

}  // namespace halo::imp
