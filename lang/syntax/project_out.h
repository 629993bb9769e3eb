// `r.a.b` parses as one qualified Variable. When `r` turns out to be a value and not a module, this
// rewrites the node: Variable r, and a Project for each further name.
#pragma once

#include "lang/syntax/ast.h"

namespace halo::syntax {

// `expr` is a Variable with qualifiers. Its first `name_length` parts stay the variable's name
// (`m.r.a` with module m: 2), the rest become fields. `expr` itself becomes the outermost Project,
// inner nodes are new and have exact spans; the result is the id of the Variable.
ExprId projectOut(Tree& tree, ExprId expr, size_t name_length);

}  // namespace halo::syntax
