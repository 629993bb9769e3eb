#include "cli/lsp/holes.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace halo::lsp {
namespace {

bool isSpace(char c) { return c == ' ' || c == '\n'; }
bool isOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\'' || c == '.';
}

// The lines from one that begins with `let` or `in` to the next such line.
std::vector<Part> statementsIn(std::string_view text, const Chunk& chunk) {
  std::vector<Part> parts;
  for (size_t line = chunk.begin; line < chunk.end;) {
    const size_t first = std::min<size_t>(text.find_first_not_of(" \t", line), chunk.end);
    const std::string_view word = wordAt(text, first);
    if (line != chunk.begin && (word == "let" || word == "in")) {
      if (!parts.empty()) parts.back().end = static_cast<uint32_t>(line);
      parts.push_back({static_cast<uint32_t>(first), chunk.end});
    }
    line = std::min<size_t>(text.find('\n', line), chunk.end) + 1;
  }
  return parts;
}

size_t columnOf(std::string_view text, uint32_t at) {
  const size_t line = text.rfind('\n', at);
  return line == std::string_view::npos ? at : at - line - 1;
}

// Whether an expression has to follow: behind `else`, `then`, `do`, `->`, `=` and operators.
bool isOpenEnded(std::string_view part) {
  constexpr std::string_view kSigns = "+-*/%&|^<>=";
  if (part.empty()) return false;
  if (kSigns.find(part.back()) != std::string_view::npos) return !part.ends_with("--");
  size_t begin = part.size();
  while (begin > 0 && isOfName(part[begin - 1])) --begin;
  const std::string_view word = part.substr(begin);
  return word == "else" || word == "then" || word == "do";
}

// Brackets that a part of a text opens, less those that it closes.
int openBrackets(std::string_view part) {
  int open = 0;
  for (size_t at = 0; at < part.size(); ++at) {
    const char c = part[at];
    if (part.substr(at, 2) == "--") {
      at = std::min(part.find('\n', at), part.size());
    } else if (c == '"') {
      at = std::min(part.find('"', at + 1), part.size());
    } else {
      open += static_cast<int>(c == '(' || c == '[' || c == '{');
      open -= static_cast<int>(c == ')' || c == ']' || c == '}');
    }
  }
  return open;
}

}  // namespace

void blankOut(std::string& text, size_t begin, size_t end) {
  for (size_t at = begin; at < end; ++at) {
    if (text[at] != '\n') text[at] = ' ';
  }
}

bool putHole(std::string& text, const Chunk& chunk, Part expression) {
  constexpr std::string_view kHole = "?\?\?";
  auto [begin, end] = expression;
  if (begin < chunk.begin || end > chunk.end || begin > end) return false;
  // A field is no expression: the whole of `p.x` is.
  if (begin > chunk.begin && text[begin - 1] == '.') {
    while (begin > chunk.begin && isOfName(text[begin - 1])) --begin;
  }
  const auto isShort = [&] { return end - begin < kHole.size(); };
  while (isShort() && end + 1 < chunk.end && text[end] == ' ') ++end;
  // Not into the line above, which may end in a comment.
  while (isShort() && begin > chunk.begin && text[begin - 1] == ' ') --begin;
  while (isShort() && end + 1 < chunk.end && isSpace(text[end])) ++end;
  if (end - begin < kHole.size() || text.compare(begin, kHole.size(), kHole) == 0) return false;
  blankOut(text, begin, end);
  text.replace(begin, kHole.size(), kHole);
  return true;
}

std::optional<Part> missingValue(std::string_view text, const Chunk& chunk, uint32_t mistake) {
  const std::vector<Part> parts = statementsIn(text, chunk);
  for (size_t i = 0; i + 1 < parts.size() && parts[i].begin < mistake; ++i) {
    uint32_t end = parts[i].end;
    while (end > parts[i].begin && isSpace(text[end - 1])) --end;
    const bool is_inner = columnOf(text, parts[i + 1].begin) > columnOf(text, parts[i].begin);
    if (!is_inner && isOpenEnded(text.substr(parts[i].begin, end - parts[i].begin))) {
      return Part{end, end};
    }
  }
  return std::nullopt;
}

std::optional<Part> brokenValue(std::string_view text, const Chunk& chunk, uint32_t mistake) {
  std::optional<Part> broken;
  for (const Part& part : statementsIn(text, chunk)) {
    if (part.begin < mistake) broken = part;
    if (openBrackets(text.substr(part.begin, part.end - part.begin)) != 0) {
      broken = part;
      break;
    }
  }
  if (!broken) return std::nullopt;
  size_t begin = broken->begin + wordAt(text, broken->begin).size();
  if (text.substr(broken->begin, 3) == "let") {
    begin = bodyIn(text, {broken->begin, broken->end, 0});
    if (begin == std::string_view::npos) return std::nullopt;
  }
  uint32_t end = broken->end;
  while (end > begin && isSpace(text[end - 1])) --end;
  while (begin < end && isSpace(text[begin])) ++begin;
  return Part{static_cast<uint32_t>(begin), end};
}

}  // namespace halo::lsp
