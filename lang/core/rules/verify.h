// The rules of ir.h, checked: scope, types, shapes, lambdas' arities, aliasing and consumption.
#pragma once

#include "lang/core/ir.h"

namespace halo::core {

// The first broken rule as invalid_core, with the printed statement in a note.
diag::Result<std::monostate> verify(const Program& program);

}  // namespace halo::core
