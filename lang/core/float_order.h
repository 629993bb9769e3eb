// Which results of an entry depend on the order of float additions: those that a float reduction or
// scan flows into. Engines may order these differently (language.md#floats), so tests compare them
// within a tolerance and everything else bit for bit.
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::core {

// One flag per result of the entry. Conservative: true where it may depend.
std::vector<bool> dependOnFloatOrder(const Program& program, const Function& entry);

}  // namespace halo::core
