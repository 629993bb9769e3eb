// An editor's questions about the language while the user types: completions and colours.
#pragma once

#include <string>
#include <vector>

#include "cli/repl/repl.h"

namespace halo::repl {

// Candidates for the word before `cursor`, which begins at `start`.
struct Completion {
  size_t start = 0;
  std::vector<std::string> candidates;  // sorted, each once
};

// Commands behind a `:`, files where a command takes one, else names, fields and keywords.
Completion complete(Repl& repl, const std::string& text, size_t cursor);

// The kind of token that a byte of a text belongs to.
enum class Part : uint8_t { kPlain, kKeyword, kNumber, kString, kComment, kType, kCommand };
std::vector<Part> partsOf(const std::string& text);

}  // namespace halo::repl
