// What an expression reads.
#pragma once

#include "lang/imp/ir.h"

namespace halo::imp {

// The operands of an expression, in order; the index of a load, not what it loads from.
Operands operandsOf(const Expr& expr);

}  // namespace halo::imp
