// H5003 warns of derivatives that are always 0: the function depends on its floats only through
// steps (comparisons, rounding, conversions to integers).
#pragma once

#include "lang/diag/diagnostic.h"
#include "lang/types/checked.h"

namespace halo::ad {

// Warns once for each derivative that an entry of the program uses.
void warnOfSteps(const types::Program& program, diag::Sink& sink);

}  // namespace halo::ad
