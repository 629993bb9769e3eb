// Comparisons with exchanged operands: `a > b` for `b < a`.
#pragma once

#include "lang/prim/prim.h"

namespace halo::prim {

// The operation that says of `b, a` what `op` says of `a, b`. Operations that are no order stay as
// they are.
inline Op mirrored(Op op) {
  switch (op) {
    case Op::kLt:
      return Op::kGt;
    case Op::kLe:
      return Op::kGe;
    case Op::kGt:
      return Op::kLt;
    case Op::kGe:
      return Op::kLe;
    default:
      return op;
  }
}

}  // namespace halo::prim
