// The parts of define-semantics: each gives the value of an operation, built from total ones.
#pragma once

#include <functional>
#include <optional>

#include "lang/core/builder.h"
#include "lang/passes/semantics/powers.h"

namespace halo::passes {

// Nothing: the operation is total on every machine and stays as it is.
struct KnownNumbers {  // of the whole program, made when a statement asks
  std::function<PowersOfTwo::Level(const core::Operand&)> level;
  std::function<uint64_t(const core::Operand&)> bits;  // that may be set
};
std::optional<core::Operand> defineInteger(core::Builder& builder, const core::PrimOp& op,
                                           const core::Stm& stm, const KnownNumbers& known);
std::optional<core::Operand> defineFloat(core::Builder& builder, const core::PrimOp& op);
std::optional<core::Operand> defineConversion(core::Builder& builder, const core::Convert& convert);

// Scalar building shared by them; constants fold.
core::Operand select(core::Builder& builder, core::Operand condition, core::Operand on_true,
                     core::Operand on_false);

}  // namespace halo::passes
