// AST back to text: stage `ast`. parse(print(tree)) gives the same tree; comments are not printed.
#pragma once

#include <string>

#include "lang/syntax/ast.h"

namespace halo::syntax {

std::string print(const Tree& tree, const File& file);
std::string print(const Tree& tree, ExprId expr);
std::string print(const Tree& tree, TypeExprId type);
std::string print(const Tree& tree, SpecId spec);
// Of a type, a module or a module type: without what it has between braces.
std::string printHead(const Tree& tree, const Decl& decl);

}  // namespace halo::syntax
