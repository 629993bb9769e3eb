// Maxima and minima of floats, spelled out by define_semantics (a NaN loses, -0 < +0), that a
// machine has one instruction for. AVX-512 has; but it takes signalling NaNs for results, which
// only memory may hold: so both sides must come from arithmetic.
//
//   bits = and (bits x) (bits y)
//   m = select (x > y) x (select (x == y) bits (select (isnan y) x y))      m = range x y
#pragma once

#include <unordered_map>

#include "lang/imp/ir.h"

namespace llvm {
class IRBuilderBase;
class Value;
}  // namespace llvm

namespace halo::jit {

struct Extremum {
  bool is_max = false;
  imp::Operand x, y;
};
using Extrema = std::unordered_map<imp::VarId, Extremum>;

Extrema quietExtrema(const imp::Block& body);

// Of vectors that fill registers of 64 bytes.
llvm::Value* emitRange(llvm::IRBuilderBase& ir, bool is_max, llvm::Value* x, llvm::Value* y);

}  // namespace halo::jit
