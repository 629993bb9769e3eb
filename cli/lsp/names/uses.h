// Where the name, field or constructor at a place stands in the files of a program.
#pragma once

#include "cli/lsp/names/names.h"

namespace halo::lsp {

struct Uses {
  source::Span at;                         // the one that was asked about
  std::optional<source::Span> definition;  // none: nothing here has one
  Spans spans;                             // with the definition; empty without it
  bool is_member = false;                  // a field or a constructor
  bool is_local = false;                   // a parameter or a `let`: other files have no use of it
};
Uses usesAt(const Analysis& analysis, uint32_t offset);

// The file of a path in a program; none: it does not read it.
std::optional<source::FileId> fileOf(const Analysis& analysis, const std::string& canonical_path);
// The uses of a definition, where it is no question of a place. Constructors with their `#`.
Spans usesOf(const Analysis& analysis, const source::Span& definition, const std::string& name,
             bool is_member);

}  // namespace halo::lsp
