// Sizes that bind names: `[match k case 0 -> 1 case _ -> k]t`. Two sizes are equal if they are
// written alike, and names that a size binds itself must not be in the way. So a part that binds
// names becomes a function, which is closed, of the variables it uses: `[(\k -> match k ..) k]t`.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lang/syntax/ast.h"

namespace halo::types {

// The outermost parts of a size that bind names, but for those that are closed already and for a
// `let x = ..` that is the size (Checker::sizeOf).
std::vector<syntax::ExprId> bindingParts(const syntax::Tree& tree, syntax::ExprId size);
// The names that it uses and does not bind.
std::set<std::string> freeVariables(const syntax::Tree& tree, syntax::ExprId expr);
// `(\k -> e) k` for the body `e` and the name `k`.
syntax::ExprNode closedOver(syntax::Tree& tree, syntax::ExprId body,
                            const std::vector<std::string>& names);
// `f k` for the function `f` and the name `k`; `f ()` without names.
syntax::ExprNode appliedTo(syntax::Tree& tree, syntax::ExprId function,
                           const std::vector<std::string>& names, source::Span where);

}  // namespace halo::types
