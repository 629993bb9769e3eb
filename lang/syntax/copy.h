// Deep copies: the same declaration with ids of its own. A parametric module is checked anew for
// every application, and facts about expressions are kept by id, so each application needs nodes of
// its own. `from` and `to` may be the same tree. Spans stay those of the original.
#pragma once

#include "lang/syntax/ast.h"

namespace halo::syntax {

DeclId copyDecl(const Tree& from, DeclId id, Tree& to);
ModuleExprId copyModule(const Tree& from, ModuleExprId id, Tree& to);
ModuleTypeId copyModuleType(const Tree& from, ModuleTypeId id, Tree& to);
TypeExprId copyType(const Tree& from, TypeExprId id, Tree& to);
PatternId copyPattern(const Tree& from, PatternId id, Tree& to);
ExprId copyExpr(const Tree& from, ExprId id, Tree& to);

}  // namespace halo::syntax
