#include "cli/repl/hints.h"

#include <fmt/format.h>

#include <array>
#include <regex>
#include <string_view>
#include <utility>

namespace halo::repl {
namespace {

constexpr std::array kWords = {
    std::pair{"help", "`:help` lists the commands of a session, `?map` explains a name"},
    std::pair{"quit", "`:quit` leaves, and so does Ctrl-D"},
    std::pair{"exit", "`:quit` leaves, and so does Ctrl-D"},
    std::pair{"ans", "`it` is the last value"},
    std::pair{"_", "`it` is the last value"},
};

}  // namespace

std::optional<std::string> hintFor(const std::string& input) {
  static const std::regex definition(
      R"(^\s*(?!let\b|def\b|entry\b)([a-z_]\w*)((\s+[a-z_]\w*)*)\s*=[^=])");
  static const std::regex first(R"(^\s*([a-z_]\w*))");
  static const std::regex without_body(R"(^(def|let|entry)\s[^\n]*=\s*$)");
  std::smatch found;
  if (std::regex_search(input, found, without_body)) {
    return "the lines that continue a definition are indented";
  }
  if (std::regex_search(input, found, definition)) {
    return fmt::format("a definition begins with `def`: `def {}{} = ..`", found.str(1),
                       found.str(2));
  }
  if (!std::regex_search(input, found, first)) return std::nullopt;
  for (const auto& [word, hint] : kWords) {
    if (found.str(1) == word) return hint;
  }
  return std::nullopt;
}

}  // namespace halo::repl
