// The operands of an expression, and their replacement.
#pragma once

#include <functional>

#include "lang/imp/ir.h"

namespace halo::imp {

// The operands of an expression, in order; the index of a load, not its buffer.
Operands operandsOf(const Expr& expr);
void mapOperands(Expr& expr, const std::function<Operand(const Operand&)>& replace);

// Prim, Convert or Select: a value of scalars alone, which neither reads memory nor calls.
bool isArithmetic(const Expr& expr);
// A division of integers that may end the process where it has no result: by a variable, 0 or -1.
bool mayTrap(const Expr& expr);

}  // namespace halo::imp
