// Completion: the words that may stand at a place, also in a text with errors. The declaration
// around the place is cut off there, ended by holes, and checked on top of the last program without
// errors.
#pragma once

#include "cli/lsp/analysis.h"
#include "cli/lsp/text.h"

namespace halo::lsp {

struct CompletionPlace {
  const Lines& lines;
  std::string uri;
  uint32_t offset;
  Texts texts;      // of other files
  Analysis& known;  // of this text or an earlier one
};
Json completions(const CompletionPlace& place);

}  // namespace halo::lsp
