// The property that all passes share, for tests: results stay, and failures neither come nor go.
#pragma once

#include <string>

#include "lang/core/ir.h"

namespace halo::passes {

// Runs the entry with `inputs` random argument lists as it is and after each row of the pipelines.
// Empty, or the row and its change, with the program in front of it. `compared`: how many argument
// lists could be (not endless, not too large).
std::string changedBy(const core::Program& program, int inputs, int* compared);

}  // namespace halo::passes
