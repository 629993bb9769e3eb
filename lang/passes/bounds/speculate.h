// Statements that may run although the program might not have run them.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

// Total at this type for all operands: no trap, no check, wherever it stands. Not: reads of memory
// (a proven index may owe its proof to its place), division by a value that may be zero.
bool isTotalScalar(const core::Expr& expr);

}  // namespace halo::passes
