// Values as JSON, for other programs to read.
#pragma once

#include <string>

#include "lang/value/value.h"

namespace halo::session {

// Numbers, booleans, arrays; a tuple is an array, a record an object, a sum `{"name": [payload]}`.
// JSON has no infinities: they and NaN are strings, `"inf"`, `"-inf"`, `"nan"`. Host values only.
std::string toJson(const value::Value& value);

}  // namespace halo::session
