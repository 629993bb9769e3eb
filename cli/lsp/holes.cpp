#include "cli/lsp/holes.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "lang/syntax/lex/lexer.h"

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

// What the tokens of a part of a text leave open; comments are none.
struct Outline {
  int open = 0;                // brackets that it opens, less those that it closes
  bool is_read = true;         // false: a string that nothing closes, say, hides what follows
  bool is_open_ended = false;  // an expression has to follow: behind `else`, `->`, an operator
  uint32_t end = 0;            // of the last token
};

Outline outlineOf(std::string_view text, Part part) {
  using syntax::TokenKind;
  source::Files files;
  diag::Sink sink;
  const std::string own(text.substr(part.begin, part.end - part.begin));
  const syntax::Tokens found = syntax::lex(files, files.add("", own), sink);
  Outline outline;
  outline.is_read = sink.all().empty();
  for (const syntax::Token& token : found.tokens) {
    if (token.kind == TokenKind::kDocComment || token.kind == TokenKind::kEnd) continue;
    const bool is_sign = token.kind == TokenKind::kPunctuation;
    const auto isAnyOf = [&](const auto&... texts) { return ((token.text == texts) || ...); };
    if (is_sign && isAnyOf("(", "[", "{", "#[")) outline.open++;
    if (is_sign && isAnyOf(")", "]", "}")) outline.open--;
    const bool is_word = token.kind == TokenKind::kKeyword && isAnyOf("else", "then", "do");
    const bool is_arrow = is_sign && isAnyOf("=", "->");
    outline.is_open_ended = token.kind == TokenKind::kOperator || is_word || is_arrow;
    outline.end = part.begin + token.span.end;
  }
  return outline;
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
    if (columnOf(text, parts[i + 1].begin) > columnOf(text, parts[i].begin)) continue;
    const Outline outline = outlineOf(text, parts[i]);
    const bool is_whole = outline.is_read && outline.open <= 0;  // a hole leaves nothing open
    if (!is_whole || !outline.is_open_ended) continue;
    uint32_t end = parts[i].end;  // a comment leaves room for the hole
    while (end > outline.end && isSpace(text[end - 1])) --end;
    return Part{outline.end, end};
  }
  return std::nullopt;
}

std::optional<Part> brokenValue(std::string_view text, const Chunk& chunk, uint32_t mistake) {
  std::optional<Part> broken;
  for (const Part& part : statementsIn(text, chunk)) {
    if (part.begin < mistake) broken = part;
    if (outlineOf(text, part).open != 0) {
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
