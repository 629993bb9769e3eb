// Which programs may begin with quick code. Code is exchanged for better code between two pieces of
// a parallel nest; a call that spends its time anywhere else would never get any.
#pragma once

#include "lang/imp/ir.h"

namespace halo::jit {

// No loop without a nest inside runs long, and no recursion.
bool canBeginQuick(const imp::Program& program, const std::string& entry);
// Some nest gets better code during a call.
bool hasNest(const imp::Program& program, const std::string& entry);

}  // namespace halo::jit
