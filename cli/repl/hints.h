// Proposals for input that other languages or sessions understand.
#pragma once

#include <optional>
#include <string>

#include "lang/diag/diagnostic.h"

namespace halo::repl {

// For an input that failed; nothing if it looks like Halo.
std::optional<std::string> hintFor(const std::string& input);

// The same diagnostics, the first of them with a note.
diag::Sink withNote(const diag::Sink& sink, const std::string& note);

}  // namespace halo::repl
