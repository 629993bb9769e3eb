// Internal: the layout of a whole file. Rules, one function for each kind of node, decide the gaps
// between words (node_layout.h, rules.h); emit() writes the text.
#pragma once

#include <string>
#include <vector>

#include "lang/format/words.h"
#include "lang/syntax/ast.h"

namespace halo::format {

// Words first to last, both included.
struct Range {
  WordIndex first, last;
};

// Lines that begin within `words` stand at the column of its first word, or, with `nest`, that much
// behind the indentation around it.
struct Scope {
  Range words;
  bool is_aligned;
  uint8_t nest;
};

// Decides the gaps of `words`, which are those of `file`.
std::vector<Scope> layOut(const syntax::Tree& tree, const syntax::File& file, Words& words);
// Gaps that no rule has decided.
void setSpacing(Words& words);
// All words with their gaps.
std::string emit(const Words& words, std::vector<Scope> scopes);

}  // namespace halo::format
