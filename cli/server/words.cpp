#include "cli/server/words.h"

namespace halo::server {

std::vector<std::string> wordsOf(std::string_view line) {
  std::vector<std::string> words;
  const auto isSpace = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  for (size_t at = 0; at < line.size();) {
    if (isSpace(line[at])) {
      ++at;
      continue;
    }
    std::string word;
    bool is_quoted = false;
    for (; at < line.size() && (is_quoted || !isSpace(line[at])); ++at) {
      if (line[at] == '"') {
        is_quoted = !is_quoted;
        continue;
      }
      const bool is_escape = is_quoted && line[at] == '\\' && at + 1 < line.size();
      if (is_escape) ++at;
      word += line[at];
    }
    words.push_back(std::move(word));
  }
  return words;
}

}  // namespace halo::server
