// Declarations of modules, module types and types, which are in the tree alone, by the names that
// programs use: `m.t` is the type `t` of the module `m`.
#pragma once

#include <string>
#include <vector>

#include "lang/syntax/ast.h"

namespace halo::session {

// Null: a declaration without a name, as `open` is, or of a value.
const syntax::Identifier* nameOf(const syntax::Decl& decl);

struct Declared {
  const syntax::Decl* declaration = nullptr;  // none: there is no such name
  std::string definitions;  // the name that definitions in it have: of `m` for `module k = m`
};

// The last one of a name; of a name alone also one within a module.
Declared declared(const syntax::Tree& tree, const std::string& name);

// The one whose name is there: of a file that another one imports as a module.
Declared declaredAt(const syntax::Tree& tree, source::Span name);

// The declarations of a module, and those that its `open`s bring from modules with names.
std::vector<const syntax::Decl*> membersOf(const syntax::Tree& tree, const syntax::Decl& module);

}  // namespace halo::session
