// Values as lists of the scalars in them, in the order of their type; arrays row by row. The tags
// of sums are not among them: a constructor is no continuous quantity.
#pragma once

#include <vector>

#include "interp/arrays/array.h"

namespace halo::interp {

void appendScalars(const Datum& value, std::vector<Datum>& scalars);
std::vector<Datum> scalarsOf(const Datum& value);
// A value like `model` with other scalars; arrays are new ones.
Datum withScalars(State& state, const Datum& model, const std::vector<Datum>& scalars);
// Sums must have one constructor in both: fails with tangent_constructor.
void checkConstructors(State& state, const Datum& value, const Datum& tangent);

}  // namespace halo::interp
