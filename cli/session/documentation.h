// The description of a name of the prelude or a program: type, doc comment, members of a module.
#pragma once

#include <optional>
#include <string>

#include "lang/types/checked.h"

namespace halo::session {

// Of a definition, module, module type or type; a name alone also finds members of modules.
// Nothing if there is none.
std::optional<std::string> documentation(const types::Program& program, const std::string& name);

// Of the module, module type or type whose name is declared there.
std::optional<std::string> documentationAt(const types::Program& program, source::Span name);

// Of all that a file offers to others, in its order.
std::string documentationOfFile(const types::Program& program, source::FileId file);

// `&&` and `||` evaluate their second operand only where it counts: they are no definitions.
bool isLogicOperator(const std::string& name);

// `(+)` is `+`, `i64.(+)` is `i64.+`.
std::string bareName(const std::string& name);

// Whether the name is a module with the declarations of a file: `module m = import ".."`.
bool isImport(const types::Program& program, const std::string& name);

// Where a module, a module type or a type is declared.
std::optional<source::Span> declarationOf(const types::Program& program, const std::string& name);

}  // namespace halo::session
