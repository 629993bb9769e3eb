// The derivative operators (stdlib/ad.fut, language.md#derivatives).
#pragma once

#include "interp/function.h"

namespace halo::interp {

// `args`: function, point, direction or weights; with `many` an array of directions or weights. A
// pair: the function's result, and its derivative, one for each direction.
Datum runJvp(State& state, Datum* args, bool many);
Datum runVjp(State& state, Datum* args, bool many);
// `args`: function, the function for its derivative, argument.
Datum runWithVjp(State& state, Datum* args);
// `iota n`, where n may be active: it counts as added to every element.
Datum runActiveIota(State& state, const Datum& count);

}  // namespace halo::interp
