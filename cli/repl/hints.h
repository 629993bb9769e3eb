// Proposals for input that other languages or sessions understand.
#pragma once

#include <optional>
#include <string>

namespace halo::repl {

// For an input that failed; nothing if it looks like Halo.
std::optional<std::string> hintFor(const std::string& input);

}  // namespace halo::repl
