// Names of types, modules, module types and values in a scope, for editors.
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

// The name in the declaration of `m.t`, a type, a module or a module type in a module: the one that
// the scope of the session has, from another file, too.
std::optional<source::Span> declaredIn(const Environment& environment,
                                       const std::vector<std::string>& module,
                                       const std::string& name);

}  // namespace halo::types
