// The first rule of a program: each value that it mentions has an entry in the store of values.
#pragma once

#include "lang/core/ir.h"

namespace halo::core {

// Of parameters, results, statements and the sizes in their types.
bool valuesExist(const Program& program, const Function& function);

}  // namespace halo::core
