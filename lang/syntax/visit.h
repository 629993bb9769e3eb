// Default traversal of the AST: the children of a node, in evaluation order.
#pragma once

#include <functional>
#include <vector>

#include "lang/syntax/ast.h"

namespace halo::syntax {

void forEachChild(const ExprNode& node, const std::function<void(ExprId)>& visit);

// Whether a type is written with sizes other than `[]`.
bool hasExpressions(const Tree& tree, TypeExprId type);

// The names that a pattern binds, in order.
void collectNames(const Tree& tree, PatternId pattern, std::vector<Identifier>& out);

}  // namespace halo::syntax
