// Histograms whose bins devices can update in one step.
#pragma once

#include <optional>

#include "lang/core/ir.h"

namespace halo::gpu {

// The operator, if it is + min max & | ^ on 4-byte integers and each bin is one number.
std::optional<prim::Op> atomicOperator(const core::Program& program, const core::HistOp& operation);
// The same on integers of 4 or 8 bytes, the latter in device memory alone. Also || and && on bools:
// one of the two values changes a bin, whichever invocation stores it.
std::optional<prim::Op> memoryAtomicOperator(const core::Program& program,
                                             const core::HistOp& operation);

// The same as the first of an operator on two numbers.
std::optional<prim::Op> atomicOperator(const core::Program& program, const core::Lambda& op);

}  // namespace halo::gpu
