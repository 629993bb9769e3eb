#include "cli/repl/hints.h"

#include <array>
#include <regex>
#include <string_view>
#include <utility>

#include "lang/syntax/parse/habits.h"

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
      R"(^\s*(?!(?:let|def|entry|loop|if|match|type|module)\b)([a-z_]\w*)((\s+[a-z_]\w*)*)\s*=[^=>])");
  static const std::regex first(R"(^\s*([a-z_]\w*))");
  static const std::regex without_body(R"(^(def|let|entry)\s[^\n]*=\s*$)");
  static const std::regex pattern(R"(^\s*(let|def)\s*\(\s*\w+\s*,(?![^]*\bin\b))");
  std::smatch found;
  if (std::regex_search(input, found, without_body)) {
    return "the lines that continue a definition are indented";
  }
  if (std::regex_search(input, pattern)) {
    return "a definition has one name: `def t = (1, 2)`, then `t.0`";
  }
  if (std::regex_search(input, found, definition)) {
    return syntax::helpForDefinition(found.str(1), found.str(2));
  }
  if (!std::regex_search(input, found, first)) return std::nullopt;
  for (const auto& [word, hint] : kWords) {
    if (found.str(1) == word) return hint;
  }
  return std::nullopt;
}

diag::Sink withNote(const diag::Sink& sink, const std::string& note) {
  diag::Sink noted;
  for (diag::Diagnostic diagnostic : sink.all()) {
    if (noted.all().empty()) diagnostic.notes.push_back(note);
    noted.add(std::move(diagnostic));
  }
  return noted;
}

}  // namespace halo::repl
