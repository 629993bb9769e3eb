// Types that a program leaves out, with their inferred sizes: of `let`s, of parameters, of results.
// An editor shows them as inlay hints, and writes one as a code action.
#pragma once

#include <vector>

#include "cli/lsp/answers.h"

namespace halo::lsp {

struct Hint {
  uint32_t offset;  // behind the name, or the last parameter
  std::string text;
  Json edits;  // write it
};

// Those between two bytes; none while the text has errors, whose program is an earlier one.
std::vector<Hint> hintsBetween(const Place& place, uint32_t begin, uint32_t end);

Json inlayHints(const Place& place, uint32_t begin, uint32_t end);
// Offered where the program with the type has no errors: a size without a name cannot be written.
Json hintActions(const Place& place, uint32_t begin, uint32_t end, const Texts& texts);

}  // namespace halo::lsp
