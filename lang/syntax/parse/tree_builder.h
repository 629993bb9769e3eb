// Internal to the parser: adds nodes to the tree, and counts how deep expressions are.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/syntax/ast.h"
#include "lang/syntax/parse/cursor.h"

namespace halo::syntax {

class TreeBuilder {
 public:
  TreeBuilder(Tree& tree, Cursor& cursor);

  ExprId add(ExprNode node, Span span);
  PatternId addPattern(PatternNode node, Span span);
  TypeExprId addType(TypeNode node, Span span);
  ModuleExprId addModule(ModuleNode node, Span span);
  ModuleTypeId addModuleType(ModuleTypeNode node, Span span);

  // Behind an error: ids are valid in any case.
  ExprId errorExpr();
  TypeExprId errorType();
  PatternId errorPattern();

  Span spanOf(ExprId id) const { return tree_.exprs[id].span; }

 private:
  uint32_t levelsOf(const ExprNode& node) const;

  Tree& tree_;
  Cursor& cursor_;
  size_t first_expr_;             // of this text in the tree
  std::vector<uint32_t> levels_;  // of each expression from there on
  bool reported_levels_ = false;
};

}  // namespace halo::syntax
