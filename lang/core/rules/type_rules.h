// The operands that a node takes and the types of its results. Scope and consumption are checked by
// verify.cpp, which calls this for every statement.
#pragma once

#include <optional>
#include <string>

#include "lang/core/ir.h"

namespace halo::core {

// The fault in this statement's types, if any. Every value it mentions is in the
// program's table.
std::optional<std::string> typeError(const Program& program, const Stm& stm);

// The same for the results of a function's body against its result types.
std::optional<std::string> resultTypeError(const Program& program, const Function& function);

// The fault of a kernel of kind `sort`: it has the keys as its first array, or statements around
// one call of such a kernel.
std::optional<std::string> sortError(const Program& program, const Function& kernel);

}  // namespace halo::core
