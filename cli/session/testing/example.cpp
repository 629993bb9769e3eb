#include "cli/session/testing/example.h"

#include <algorithm>
#include <filesystem>

#include "cli/session/values/arguments.h"

namespace halo::session {

namespace {

std::optional<std::vector<std::string>> wordsOf(const ValueSource& input,
                                                const std::string& folder) {
  if (input.kind == SourceKind::kFile) {
    return std::vector{"@" + (std::filesystem::path(folder) / input.text).string()};
  }
  if (input.kind != SourceKind::kInline) return std::nullopt;
  std::string text = input.text;
  std::replace(text.begin(), text.end(), '\n', ' ');
  return splitWords(text);
}

}  // namespace

std::optional<std::vector<std::string>> exampleWords(const TestProgram& program,
                                                     const std::string& entry,
                                                     const std::string& folder) {
  for (const TestBlock& block : program.blocks) {
    if (std::find(block.entries.begin(), block.entries.end(), entry) == block.entries.end()) {
      continue;
    }
    for (const TestCase& test : block.cases) {
      if (auto words = wordsOf(test.input, folder)) return words;
    }
  }
  return std::nullopt;
}

std::string shellWord(const std::string& word) {
  const bool is_plain = word.find_first_of(" []()#{}\"'$\\") == std::string::npos;
  return is_plain && !word.empty() ? word : "'" + word + "'";
}

}  // namespace halo::session
