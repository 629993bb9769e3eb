// Chains of applications: `f a b` is the application of `f a` to `b`.
#pragma once

#include <vector>

#include "lang/syntax/ast.h"

namespace halo::syntax {

struct ApplicationChain {
  ExprId function;                // no application
  std::vector<ExprId> nodes;      // the applications, innermost first
  std::vector<ExprId> arguments;  // of these
};

// Of an application, or of anything else, which is its function then.
ApplicationChain applicationChain(const Tree& tree, ExprId expr);
// The function of that chain.
ExprId appliedFunction(const Tree& tree, ExprId expr);

}  // namespace halo::syntax
