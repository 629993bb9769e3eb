// Checked AST to Core (design.md#from-ast-to-core). Closures and records become static values,
// functions monomorphic in types and closures, arrays of tuples tuples of arrays, and sizes
// explicit.
#pragma once

#include "lang/core/ir.h"
#include "lang/diag/diagnostic.h"
#include "lang/types/checked.h"

namespace halo::lower {

// The program of one entry: the reached definitions, constants evaluated first. Array parameters of
// the entry are flattened leaf by leaf, sizes in front; given definitions (types::givenFor) are
// further parameters.
diag::Result<core::Program> lower(const types::Program& program, types::DefId entry);

}  // namespace halo::lower
