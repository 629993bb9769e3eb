// Names that nothing uses: parameters, `let`s, local functions, loop variables, type and size
// parameters. A name that begins with `_` says that it is meant. Definitions at the top and in
// modules are for others to use.
#pragma once

#include "lang/diag/diagnostic.h"
#include "lang/syntax/ast.h"

namespace halo::types {

// Warns of each, as Futhark does. Looks at the program as it was written: before it is checked.
void warnOfUnused(const syntax::Tree& tree, const syntax::File& file, diag::Sink& sink);

}  // namespace halo::types
