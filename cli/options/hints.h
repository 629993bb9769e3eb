// Proposals for words that the command line does not know.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace halo::cli {

// For a command of other tools: `version`, Futhark's `cuda`; or one near to it.
enum class Likeness { kEqual, kNear };
std::optional<std::string> hintForCommand(const std::string& word, Likeness likeness);

// For CLI11's message about words of `command`: the option or the value that was meant.
std::vector<std::string> hintsForWords(const std::string& message, const CLI::App& command);

}  // namespace halo::cli
