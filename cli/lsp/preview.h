// Diagnostics of a text in which functions changed, came or went since its program was checked.
// Those functions alone are checked, among the program's definitions as they were. It takes a few
// milliseconds in a text of any length. A check of the whole text follows and has the last word.
#pragma once

#include <optional>
#include <string>

#include "cli/lsp/analysis.h"
#include "cli/lsp/text.h"

namespace halo::lsp {

// `before` has a program. Nothing if more changed than functions of the top level, or if other
// declarations may depend on the change. They depend on another type, on a name that comes or goes,
// and on one that the program defines only later.
std::optional<Json> preview(Analysis& before, const std::string& text, const std::string& uri,
                            Encoding encoding);

}  // namespace halo::lsp
