#include "lang/syntax/parse/tree_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/base/stack.h"
#include "lang/syntax/visit.h"

namespace halo::syntax {

using diag::Code;

TreeBuilder::TreeBuilder(Tree& tree, Cursor& cursor)
    : tree_(tree), cursor_(cursor), first_expr_(tree.exprs.size()) {}

// Long chains, `x |> f |> g ..`, are no nesting to read; all later phases walk down to their ends.
// A chain that is too long is cut off, without a panic: callers are in the middle of something.
ExprId TreeBuilder::add(ExprNode node, Span span) {
  levels_.push_back(levelsOf(node));
  if (levels_.back() > base::stackLevels()) {
    if (!std::exchange(reported_levels_, true)) {
      cursor_.report(Code::nesting_too_deep, span,
                     fmt::format("more than {} operations follow one another in this expression",
                                 base::stackLevels()));
    }
    levels_.back() = 0;
    node = Hole{};
  }
  return tree_.exprs.add({std::move(node), span});
}

// Chains of `let` are walked by loops.
uint32_t TreeBuilder::levelsOf(const ExprNode& node) const {
  const auto* let = std::get_if<Let>(&node);
  uint32_t levels = 0;
  const auto visit = [&](ExprId child) {
    const bool is_chain = let != nullptr && child == let->body;
    const uint32_t own = child.index < first_expr_ ? 0 : levels_[child.index - first_expr_];
    levels = std::max(levels, own + (is_chain ? 0 : 1));
  };
  forEachChild(node, std::ref(visit));  // a reference takes no memory
  return levels;
}

PatternId TreeBuilder::addPattern(PatternNode node, Span span) {
  return tree_.patterns.add({std::move(node), span});
}
TypeExprId TreeBuilder::addType(TypeNode node, Span span) {
  return tree_.types.add({std::move(node), span});
}

ExprId TreeBuilder::errorExpr() { return add(TupleExpr{}, cursor_.emptySpan()); }
TypeExprId TreeBuilder::errorType() { return addType(TypeTuple{}, cursor_.emptySpan()); }
PatternId TreeBuilder::errorPattern() { return addPattern(PatternWildcard{}, cursor_.emptySpan()); }

ModuleExprId TreeBuilder::addModule(ModuleNode node, Span span) {
  return tree_.modules.add({std::move(node), span});
}
ModuleTypeId TreeBuilder::addModuleType(ModuleTypeNode node, Span span) {
  return tree_.module_types.add({std::move(node), span});
}

}  // namespace halo::syntax
