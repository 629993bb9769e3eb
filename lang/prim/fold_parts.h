// The parts of fold, one per family of types; private to lang/prim.
#pragma once

#include "lang/base/check.h"
#include "lang/prim/fold.h"

namespace halo::prim {

// Comparisons of types that C++ compares as Halo does: bool, floats.
template <typename T>
bool compared(Op op, T a, T b) {
  switch (op) {
    case Op::kEq:
      return a == b;
    case Op::kNe:
      return a != b;
    case Op::kLt:
      return a < b;
    case Op::kLe:
      return a <= b;
    case Op::kGt:
      return a > b;
    case Op::kGe:
      return a >= b;
    default:
      HALO_UNREACHABLE("primitive compares nothing");
  }
}

Folded foldInt(Op op, ScalarType type, std::span<const Scalar> args);
Scalar foldFloat(Op op, ScalarType type, std::span<const Scalar> args);
Scalar foldBool(Op op, std::span<const Scalar> args);

}  // namespace halo::prim
