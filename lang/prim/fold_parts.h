// The parts of fold, one per family of types; private to lang/prim.
#pragma once

#include "lang/prim/fold.h"

namespace halo::prim {

Folded foldInt(Op op, ScalarType type, std::span<const Scalar> args);
Scalar foldFloat(Op op, ScalarType type, std::span<const Scalar> args);
Scalar foldBool(Op op, std::span<const Scalar> args);

}  // namespace halo::prim
