// Fields of records and constructors of sums in a program: what they are at a place, and where else
// they stand.
#pragma once

#include <optional>
#include <string>

#include "cli/lsp/names/names.h"

namespace halo::lsp {

struct Member {
  source::Span span;                       // of the name, of a constructor with its `#`
  std::string name;                        // as there
  std::string shown;                       // with its type
  std::optional<source::Span> definition;  // none: no declared type has it
  bool is_pun = false;                     // `{a}`: a name as well
};
// Not a pun, which is looked up as a name.
std::optional<Member> memberAt(const Analysis& analysis, uint32_t offset);

// Every place of the field or constructor in files of the program, its definition among them.
Spans memberUses(const Analysis& analysis, const Member& member);

}  // namespace halo::lsp
