// Diagnostics of a text in which one function changed since its program was checked: that function
// alone is checked, among the program's definitions as they were. It takes a few milliseconds in a
// text of any length. A check of the whole text follows and has the last word.
#pragma once

#include <optional>
#include <string>

#include "cli/lsp/analysis.h"
#include "cli/lsp/text.h"

namespace halo::lsp {

// `before` has a program. Nothing if more changed than the inside of a function, or if others may
// depend on the change: on another type, or on a name that the program defines only later.
std::optional<Json> preview(Analysis& before, const std::string& text, const std::string& uri,
                            Encoding encoding);

}  // namespace halo::lsp
