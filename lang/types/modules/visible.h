// Names of types, modules, module types and values in a scope, for editors and sessions.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lang/types/check.h"

namespace halo::types {

struct VisibleNames {
  std::set<std::string> types, modules, parametric_modules, module_types;
  std::set<std::string> values;  // without the prelude's
};
// At the end of a checked file, what it imports included; with a path, in the module of that name.
VisibleNames visibleIn(const Environment& environment, source::FileId file,
                       const std::vector<std::string>& path);

// Where the name of the type, module or module type at the end of the path is declared.
std::optional<source::Span> declaredAt(const Environment& environment,
                                       std::vector<std::string> path);

}  // namespace halo::types
