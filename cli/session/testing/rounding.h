// Whether rounding alone explains that two engines differ. Terms that cancel leave a sum far less
// exact than its size tells, so a tolerance relative to the result is no bound. The interpreter
// computes one for each output. It runs the call again with every operation rounded up, down and to
// zero; the output moves as far as its roundings can carry it [Kahan 2006].
#pragma once

#include "cli/session/outcome.h"

namespace halo::session {

// `first`: of the interpreter, rounded to nearest as always. False as well where another rounding
// fails or takes other branches, which leaves no bound.
bool isWithinRounding(Session& session, const Loaded& loaded, types::DefId entry,
                      const std::vector<value::Value>& arguments, const Outcome& first,
                      const Outcome& other);

}  // namespace halo::session
