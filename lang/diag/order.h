// The order in which diagnostics are shown: by file and place; those without a place come last, in
// their order of arrival.
#pragma once

#include <vector>

#include "lang/diag/diagnostic.h"

namespace halo::diag {

std::vector<const Diagnostic*> inOrder(const Sink& sink);

}  // namespace halo::diag
