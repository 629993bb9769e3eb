// Where the characters of an edited text stand on the screen.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/terminal/line_source.h"

namespace halo::terminal {

struct Place {
  size_t row = 0, column = 0;
};

// The rows of the screen that a text takes with its prompts, as they are written.
struct Layout {
  std::vector<std::string> rows;
  Place cursor;
};

struct LayoutInput {
  const std::string& text;
  size_t cursor;
  std::string prompt;                // before the first line; the others get kMorePrompt
  const std::vector<Style>& styles;  // by byte; may be empty
  size_t columns;
};
Layout layOut(const LayoutInput& input);

// Columns that the character at text[*at] takes; moves behind it.
size_t widthAt(const std::string& text, size_t* at);
size_t widthOf(const std::string& text);

}  // namespace halo::terminal
