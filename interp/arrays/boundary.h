// Values as they cross entries, to the interpreter's own and back.
#pragma once

#include "interp/arrays/array.h"
#include "lang/types/checked.h"
#include "lang/value/value.h"

namespace halo::interp {

// Shares the array's buffer: the caller keeps a reference, so that nothing overwrites it. Fails if
// an array can not be fetched from its device.
Datum fromValue(const types::Program& program, types::TypeId type, const value::Value& value);
// Leaves from left to right; of a sum those of types::leaves.
void appendLeaves(State& state, const types::Program& program, types::TypeId type,
                  const Datum& datum, std::vector<value::Value>& leaves);
// An array of scalars, sharing its buffer.
value::Array toArray(const Array& array);

}  // namespace halo::interp
