// The structure of a tree, fully bracketed and without spans: `(Binary + (Variable a) (Number 1))`.
// Two trees are the same program iff their outlines are equal; parser tests are written in it.
#pragma once

#include <string>

#include "lang/syntax/ast.h"

namespace halo::syntax {

std::string outline(const Tree& tree, const File& file);
std::string outline(const Tree& tree, ExprId expr);
std::string outline(const Tree& tree, TypeExprId type);

}  // namespace halo::syntax
