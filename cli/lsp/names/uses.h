// Where the name, field or constructor at a place stands in the files of a program.
#pragma once

#include "cli/lsp/names/names.h"

namespace halo::lsp {

struct Uses {
  source::Span at;                         // the one that was asked about
  std::optional<source::Span> definition;  // none: nothing here has one
  Spans spans;                             // with the definition; empty without it
  bool is_member = false;                  // a field or a constructor
};
Uses usesAt(const Analysis& analysis, uint32_t offset);

}  // namespace halo::lsp
