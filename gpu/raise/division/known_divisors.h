// f32 divisors that are known before their divisions: many divisions by one number share work.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "lang/imp/builder.h"

namespace halo::gpu {

// Of a divisor d: 1 / d, rounded once, and whether d is of usual size.
struct KnownDivisor {
  imp::VarId inverse, is_usual;
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
bool isUsualConstant(const imp::Operand& x);

// The f32 division of a statement, if it is one.
const imp::Prim* divisionF32(const imp::Stm& stm);

}  // namespace halo::gpu
