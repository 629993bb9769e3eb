// Holes, `???`, in place of what is broken in a declaration. No text around them moves.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/lsp/chunk.h"

namespace halo::lsp {

struct Part {
  uint32_t begin = 0, end = 0;
};

// A hole in place of an expression, and of the space around it where it is shorter than a hole.
// False where they have no room for one, or are one.
bool putHole(std::string& text, const Chunk& chunk, Part expression);

// Where an `else`, a `->` or an operator has nothing behind it, and a `let` or `in` follows that is
// no part of it: one that stands no deeper. Nothing where brackets or a string stay open as well.
std::optional<Part> missingValue(std::string_view text, const Chunk& chunk, uint32_t mistake);

// The value of the local `let`, or of the `in`, with a mistake of the grammar. It is the first one
// that leaves brackets open, else the one in front of the mistake. Each begins a line.
std::optional<Part> brokenValue(std::string_view text, const Chunk& chunk, uint32_t mistake);

// Spaces, but for line ends.
void blankOut(std::string& text, size_t begin, size_t end);

}  // namespace halo::lsp
