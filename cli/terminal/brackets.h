// The bracket at the cursor and the one that belongs to it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/terminal/line_source.h"

namespace halo::terminal {

// Of the bracket under the cursor, else of the one before it: where it stands and where its partner
// does. Nothing if there is no partner, or another kind of bracket stands in between. Brackets in
// strings and comments do not count; `styles` says which those are and may be empty.
std::optional<std::pair<size_t, size_t>> matchingBrackets(const std::string& text, size_t cursor,
                                                          const std::vector<Style>& styles);

}  // namespace halo::terminal
