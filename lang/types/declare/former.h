// Names and calls of older versions of Futhark, which programs on the web still have, and of other
// languages.
#pragma once

#include <string>
#include <string_view>

namespace halo::types {

// In place of a name that the prelude does not have: the text of a note, or empty.
std::string_view replacementOf(std::string_view former_name);

// The same in place of a type: `int`.
std::string_view replacementOfType(std::string_view name);

// How a function of the prelude is called that once took more arguments; or empty.
std::string_view callOf(std::string_view prelude_name);

}  // namespace halo::types
