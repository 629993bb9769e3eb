// Code lenses: run and stages of entries, `-- run:` lines, test blocks, `-- >>> e` lines. The words
// of `halo.run` are the program, then what follows it on a command line.
#pragma once

#include "cli/lsp/answers.h"

namespace halo::lsp {

Json codeLenses(const Lines& lines, const std::string& uri);

// The edit that writes the answer of a `-- >>> e` line below it, over the answer from before. Null:
// the line is none.
struct Answered {
  std::string expression;       // empty: no such line
  uint32_t begin = 0, end = 0;  // of the answer from before
};
Answered answeredAt(std::string_view text, uint32_t line);
// A line of comment.
std::string answerLine(const std::string& value);

}  // namespace halo::lsp
