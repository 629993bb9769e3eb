// Expressions as keys of hash tables, for passes that look for equal ones.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

// Hash and equality of expressions in place, with operands that may be exchanged in either order.
// `keeps_derivatives`: except those of `a && b` and `b && a`, which have different ones.
struct HashExchanged {
  bool keeps_derivatives;
  size_t operator()(const core::Expr* expr) const;
};
struct EqualExchanged {
  bool keeps_derivatives;
  bool operator()(const core::Expr* one, const core::Expr* other) const;
};

// The same node with the names that it binds numbered in order, and no places in its bodies.
core::Expr numbered(core::Expr expr);

}  // namespace halo::passes
