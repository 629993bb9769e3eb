// The meaning of each primitive on values: language.md#semantics, implemented in C++ once, for the
// interpreter and the constant folder. Code generators never call it; their arithmetic comes from
// the pass define-semantics, so a wrong row here shows up as a difference between engines.
#pragma once

#include <span>
#include <variant>

#include "lang/prim/prim.h"

namespace halo::prim {

enum class FoldFailure { kDivisionByZero, kNegativeExponent };
using Folded = std::variant<Scalar, FoldFailure>;

// `args` have the arity and the operand type of `op`.
Folded fold(Op op, ScalarType type, std::span<const Scalar> args);

Scalar convert(ConvertKind kind, ScalarType to, Scalar value);

}  // namespace halo::prim
