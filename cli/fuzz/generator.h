// Random programs, directed by types: a requested value is made of names in scope. Nearly all
// of them check; a few per cent do not (sizes that only look equal), which is cheaper than to know.
//
// Operators on floats are exact in any order: maxima, sums of small whole numbers. So engines agree
// bit for bit in the default mode, too. Scatters never write a place twice.
#pragma once

#include "cli/fuzz/program.h"

namespace halo::fuzz {

// The same program for the same seed, on every machine.
Program generate(uint64_t seed, Style style = Style::kPlain);

}  // namespace halo::fuzz
