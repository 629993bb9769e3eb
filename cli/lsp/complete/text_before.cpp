#include "cli/lsp/complete/text_before.h"

#include <cctype>

namespace halo::lsp {

uint32_t beginOfName(std::string_view text, uint32_t offset) {
  const auto isPart = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\'' || c == '.';
  };
  while (offset > 0 && isPart(text[offset - 1])) offset--;
  return offset;
}

std::optional<std::string> pathBefore(std::string_view text, uint32_t offset) {
  const size_t line = text.rfind('\n', offset == 0 ? 0 : offset - 1);
  const size_t begin = line == std::string_view::npos ? 0 : line + 1;
  const std::string_view before = text.substr(begin, offset - begin);
  const size_t quote = before.find('"');
  const size_t word = before.find("import");
  if (word == std::string_view::npos || quote == std::string_view::npos || quote < word ||
      before.find('"', quote + 1) != std::string_view::npos) {
    return std::nullopt;
  }
  return std::string(before.substr(quote + 1));
}

std::optional<Range> rangeBeforeWith(std::string_view text, uint32_t word) {
  constexpr std::string_view kWith = "with";
  const size_t last = text.substr(0, word).find_last_not_of(" \t\n");
  if (last == std::string_view::npos || last == word - 1 || last < kWith.size()) {
    return std::nullopt;
  }
  const size_t begin = last + 1 - kWith.size();
  if (text.substr(begin, kWith.size()) != kWith || text[begin - 1] != ' ') return std::nullopt;
  return updatedAt(text, static_cast<uint32_t>(last + 1));
}

bool isField(std::string_view text, uint32_t word) {
  const size_t last = text.substr(0, word).find_last_not_of(" \t\n");
  if (last == std::string_view::npos || (text[last] != '{' && text[last] != ',')) return false;
  int depth = 0;
  for (size_t at = last + 1; at-- > 0 && depth >= 0;) {
    const char c = text[at];
    if (c == ')' || c == ']' || c == '}') depth++;
    if (c == '(' || c == '[' || c == '{') depth--;
    if (depth < 0) return c == '{';
  }
  return false;
}

}  // namespace halo::lsp
