// What a name of the prelude or a program is: its type and doc comment, of a module its members.
#pragma once

#include <optional>
#include <string>

#include "lang/types/checked.h"

namespace halo::session {

// Of a definition, module, module type or type; a name alone also finds what modules have under it.
// Nothing if there is none.
std::optional<std::string> documentation(const types::Program& program, const std::string& name);

}  // namespace halo::session
