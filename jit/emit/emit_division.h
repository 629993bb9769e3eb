// Quotients and remainders of vectors of integers, by division of doubles: machines divide no
// vectors of integers. Results are exact for all operands (emit_division.cpp).
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "lang/prim/prim.h"

namespace halo::jit {

// kMachineDiv or kMachineRem: no divisor is 0, and MIN / -1 does not occur.
llvm::Value* divideLanes(llvm::IRBuilder<>& ir, prim::Op op, prim::ScalarType type, llvm::Value* a,
                         llvm::Value* b);

}  // namespace halo::jit
