// AST to checked program: scope, Hindley-Milner inference per declaration, sizes, elaboration of
// modules. Errors go to the sink; one poisoned type silences those that would follow from it.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "lang/diag/diagnostic.h"
#include "lang/types/checked.h"

namespace halo::types {

// The base of a session or file: immutable once made. Extending makes a new environment and
// leaves the old one as it was, so a failing line changes nothing and redefinition shadows.
class Environment;
using EnvironmentRef = std::shared_ptr<const Environment>;

// Names visible at top level, for completion and did-you-mean.
std::vector<std::string> visibleNames(const Environment& environment);
const Program& program(const Environment& environment);

EnvironmentRef emptyEnvironment();

// For each path that a file imports, as written, the name that it was checked under.
using ImportNames = std::unordered_map<std::string, std::string>;

struct CheckOptions {
  bool is_prelude = false;   // definitions become Def::is_prelude; `val` has a meaning
  bool mark_entries = true;  // `entry` and `main` of this file are entries (root files only)
  // Code that is accepted though Futhark rejects it gets a warning.
  bool warns = false;
  // The value of `#[param(name)] e`, in place of e.
  std::unordered_map<std::string, int64_t> params = {};
  // A file that others import has a name; its definitions are seen only through `import`.
  std::string import_as = {};
  ImportNames imports = {};
  bool notes_names = false;  // nameUses has those of the file
};

// A name of a type, module or module type where it is used, and where it is defined. Names of
// values are in the tables of Program.
struct NameUse {
  source::Span use;  // of the last part of a qualified name; its qualifiers are uses of their own
  source::Span definition;
};
std::vector<NameUse> nameUses(const Environment& environment);

// The declarations as their users see them (modules/README, two worlds). Abstract types are opaque,
// and the body of a parametric module has types of its own, without an application.
const Environment& opaqueWorld(const Environment& environment);

// Checks the declarations of `file`, whose nodes are in `tree` (the environment's tree extended by
// the parser), on top of `base`. Null when there were errors.
EnvironmentRef extend(const EnvironmentRef& base, syntax::Tree tree, const syntax::File& file,
                      const CheckOptions& options, diag::Sink& sink);

// Whether a file was checked under this name.
bool isImported(const Environment& environment, const std::string& name);

// The tree that new files are parsed into: a copy of the environment's.
syntax::Tree treeOf(const Environment& environment);

}  // namespace halo::types
