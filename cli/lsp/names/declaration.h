// The source of a declaration of a type, a module or a module type.
#pragma once

#include "cli/lsp/analysis.h"
#include "cli/lsp/names/names.h"

namespace halo::lsp {

// What it gives a name to; null for `open`, `import` and built-ins.
const syntax::Identifier* declaredName(const syntax::DeclNode& node);

struct Declaration {
  source::Span span;          // of a module its first line; of a parameter its name
  std::string documentation;  // the comment in front of it
};
Declaration declarationOf(const Analysis& analysis, const Named& named);

}  // namespace halo::lsp
