// Maxima and minima of floats (lang/core/float_extremum.h) that a machine has one instruction for.
// AVX-512 has `range`; but it takes signalling NaNs for results, which only memory may hold: so
// both sides must come from arithmetic.
#pragma once

#include <unordered_map>

#include "lang/core/float_extremum.h"
#include "lang/imp/ir.h"

namespace llvm {
class IRBuilderBase;
class Value;
}  // namespace llvm

namespace halo::jit {

using Extremum = core::FloatExtremum<imp::Operand>;
using Extrema = std::unordered_map<imp::VarId, Extremum>;

Extrema quietExtrema(const imp::Block& body);

// Of vectors that fill registers of 64 bytes.
llvm::Value* emitRange(llvm::IRBuilderBase& ir, bool is_max, llvm::Value* x, llvm::Value* y);

}  // namespace halo::jit
