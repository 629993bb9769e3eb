// Questions about the operators of reductions and scans.
#pragma once

#include "lang/prim/prim.h"

namespace halo::core {

// Associative and commutative, but for the rounding of floats.
inline bool mayBeReordered(prim::Op op) {
  using prim::Op;
  return op == Op::kAdd || op == Op::kMul || op == Op::kMin || op == Op::kMax || op == Op::kAnd ||
         op == Op::kOr || op == Op::kXor;
}

}  // namespace halo::core
