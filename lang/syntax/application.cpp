#include "lang/syntax/application.h"

#include <algorithm>

namespace halo::syntax {

ApplicationChain applicationChain(const Tree& tree, ExprId expr) {
  ApplicationChain chain;
  while (const auto* apply = std::get_if<Apply>(&tree.exprs[expr].node)) {
    chain.nodes.push_back(expr);
    chain.arguments.push_back(apply->argument);
    expr = apply->function;
  }
  chain.function = expr;
  std::reverse(chain.nodes.begin(), chain.nodes.end());
  std::reverse(chain.arguments.begin(), chain.arguments.end());
  return chain;
}

ExprId appliedFunction(const Tree& tree, ExprId expr) {
  while (const auto* apply = std::get_if<Apply>(&tree.exprs[expr].node)) expr = apply->function;
  return expr;
}

}  // namespace halo::syntax
