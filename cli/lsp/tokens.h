// Semantic tokens: the words of a text by their meaning, for editors that colour by it. Comments,
// keywords and literals come from the lexer; names from the program, where there is one.
#pragma once

#include "cli/lsp/answers.h"

namespace halo::lsp {

// `legend` of the server's capabilities.
Json tokenLegend();

// The protocol's five numbers for each token, relative to the token before. `place` is none for a
// text that never was without errors: its names have no kind.
Json semanticTokens(const Lines& lines, const Place* place);

}  // namespace halo::lsp
