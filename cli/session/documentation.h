// The description of a name of the prelude or a program: type, doc comment, members of a module.
#pragma once

#include <optional>
#include <string>

#include "lang/types/checked.h"

namespace halo::session {

// Of a definition, module, module type or type; a name alone also finds members of modules.
// Nothing if there is none.
std::optional<std::string> documentation(const types::Program& program, const std::string& name);

// The same of the type, module or module type whose name stands at a place, perhaps in a file that
// the program imports; of a module without its members.
std::optional<std::string> documentationAt(const types::Program& program, const source::Span& name);

// `(+)` is `+`.
std::string bareName(const std::string& name);

// Whether the name is a module with the declarations of a file: `module m = import ".."`.
bool isImport(const types::Program& program, const std::string& name);

// Where a module, a module type or a type is declared.
std::optional<source::Span> declarationOf(const types::Program& program, const std::string& name);

}  // namespace halo::session
