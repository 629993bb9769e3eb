// Patterns must match every value: those of a `match` together, those of `let`, parameters and
// loops alone.
#pragma once

#include <vector>

#include "lang/diag/diagnostic.h"
#include "lang/types/checked.h"

namespace halo::types {

// Reports, with an example, values that no pattern matches. `matches`: MatchExpr nodes.
void checkExhaustive(const Program& program, const std::vector<ExprId>& matches,
                     const std::vector<PatternId>& irrefutable, diag::Sink& sink);

}  // namespace halo::types
