// Default traversal of the AST: the children of a node, in evaluation order.
#pragma once

#include <functional>

#include "lang/syntax/ast.h"

namespace halo::syntax {

void forEachChild(const ExprNode& node, const std::function<void(ExprId)>& visit);

}  // namespace halo::syntax
