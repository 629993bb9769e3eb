// Places that the steps of a counted loop meet once each.
#pragma once

#include <functional>
#include <optional>

#include "lang/ad/emit.h"

namespace halo::ad {

// The arithmetic that makes a number; null for others.
using Arithmetic = std::function<const core::PrimOp*(const Operand&)>;

enum class StepOrder : uint8_t { kForward, kBackward };

// Of `place` in a loop of `steps`: the step itself, or the last step less it.
std::optional<StepOrder> stepOrder(const Operand& place, ValueId step, const Operand& steps,
                                   const Arithmetic& arithmetic);

}  // namespace halo::ad
