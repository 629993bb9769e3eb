// A function whose result's size is its argument, `(i: i64) -> [i]t`, is none of type
// `i64 -> ?[k].[k]t`: Futhark rejects `flatmap' (\i -> replicate i x) xs`. In Halo a type keeps the
// size also where Futhark forgets it: behind `let`, and in results that are declared as `[]t`. So
// only functions that show their size for sure are rejected.
#pragma once

#include "lang/diag/diagnostic.h"
#include "lang/types/checked.h"

namespace halo::types {

// `places`: where such a function met such a type. Requires the tables of their definition.
void rejectDependentResults(const Program& program, const std::vector<source::Span>& places,
                            diag::Sink& sink);

}  // namespace halo::types
