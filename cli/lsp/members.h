// Fields of records and constructors of sums at a place. Their types have no names of their own: a
// declared type with such a part is where a part is defined.
#pragma once

#include <optional>
#include <string>

#include "cli/lsp/analysis.h"

namespace halo::lsp {

struct Member {
  source::Span span;                       // of the name
  std::string name;                        // of a constructor with its `#`
  types::TypeId type;                      // of a field; of the whole value for a constructor
  std::optional<source::Span> definition;  // none: no declared type has it
};
std::optional<Member> memberAt(const Analysis& analysis, uint32_t offset);

}  // namespace halo::lsp
