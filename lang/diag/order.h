// The order in which diagnostics are shown: by file and place; what has no place comes last, as it
// arrived.
#pragma once

#include <vector>

#include "lang/diag/diagnostic.h"

namespace halo::diag {

std::vector<const Diagnostic*> inOrder(const Sink& sink);

}  // namespace halo::diag
