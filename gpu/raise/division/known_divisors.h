// f32 divisors that are known before their divisions: many divisions by one number share work.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "lang/imp/builder.h"

namespace halo::gpu {

// Of a divisor d: 1 / d, rounded once, and whether d is usual. Where it is not, 1 / d is anything.
struct KnownDivisor {
  imp::VarId inverse, is_usual;
  imp::VarId size, mirrored_inverse, sign;  // |d|, -1 / |d|, -1 or 1: the sign of -d; of no root
};
struct KnownDivisors {
  std::unordered_map<imp::VarId, KnownDivisor> inverses;
  std::unordered_set<imp::VarId> divisors;  // all that do not change
  // Roots that something is divided by; `inverse` is only near 1 / d. exact_division.cpp adds them.
  std::unordered_map<imp::VarId, KnownDivisor> roots;
};

// Finds divisors, and binds both behind the divisor. It takes each that stays the same in a loop
// which divides by it, or that several divisions share.
//
//   before: for i .. { q = div x d; .. }
//   after:  inverse = div 1 d;  usual = ..;  for i .. { q = div x d; .. }
imp::Block bindKnownDivisors(imp::Program& program, const imp::Function& kernel,
                             KnownDivisors& known);

// Between 2^-60 and 2^60 in size: nothing on the way to a quotient is too large or too small.
imp::Operand isUsual(imp::Builder& code, const imp::Operand& x);
// The same, or zero, or NaN.
imp::Operand isUsualDividend(imp::Builder& code, const imp::Operand& x);
imp::Operand bitsOf(imp::Builder& code, const imp::Operand& x);
// The sign of x among zero bits.
imp::Operand signBit(imp::Builder& code, const imp::Operand& x);
// 1 / (2 - 2^-23) is next to the middle between 0.5 and another float, and 0.5 does not get better.
imp::Operand hasZeroDigit(imp::Builder& code, const imp::Operand& x);
bool isUsualConstant(const imp::Operand& x);

// The division or square root of a statement, if it is one of this type.
const imp::Prim* inexact(const imp::Stm& stm, imp::ScalarType type);
inline imp::VarId varOf(const imp::Stm& let) { return std::get<imp::Let>(let.node).var; }
// The f32 division of a statement, if it is one.
const imp::Prim* divisionF32(const imp::Stm& stm);

}  // namespace halo::gpu
