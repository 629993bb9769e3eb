// For sessions: environments that grow line by line, and constants whose value an earlier call has
// made.
//
// A constant without a body is *given*: its value comes with every call of an entry that reaches
// it, behind the entry's own arguments.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lang/types/check.h"

namespace halo::types {

struct ModuleScope;

bool isGiven(const Def& def);

// The given definitions that an entry may reach, in the order in which calls take their values.
std::vector<DefId> givenFor(const Program& program, DefId entry);

// The meaning of a name visible at top level; `f32.sum` is one of a module.
std::optional<DefId> findValue(const Environment& environment, const std::string& name);

// The meaning of an environment at some time.
struct Mark {
  std::shared_ptr<const ModuleScope> scope;
  std::unordered_map<std::string, std::shared_ptr<const ModuleScope>> files;
  std::unordered_map<source::FileId, ImportNames> imports;
  EnvironmentRef opaque;
  size_t defs = 0;
};
Mark mark(const Environment& environment);

// These change the environment itself where it has no other owner, for copying it at every line
// would take too long. Else they change a copy.

// The work of `extend` with the declarations that `parse` puts into the tree; no modules are among
// them. After errors (false) the environment keeps its meaning.
using Parse = std::function<syntax::File(syntax::Tree&)>;
bool grow(EnvironmentRef& environment, const Parse& parse, const CheckOptions& options,
          diag::Sink& sink);

// Takes back everything after the mark; nodes and definitions stay, without names.
void rewind(EnvironmentRef& environment, const Mark& mark);

// The value of a constant is made. It is given from now on, and its type has the shapes of
// `leaves`, the value's (but not of arrays in sums).
void giveValue(EnvironmentRef& environment, DefId constant,
               const std::vector<std::vector<int64_t>>& leaves);

// Without the imported files, so that they are read again.
void forgetImports(EnvironmentRef& environment);

}  // namespace halo::types
