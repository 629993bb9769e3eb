// How a panic ends: behind a closing bracket or at the next declaration. These functions look at
// the tokens themselves, because in a panic peek() shows the end.
#include <fmt/format.h>

#include <algorithm>

#include "lang/syntax/lex/keywords.h"
#include "lang/syntax/parse/cursor.h"
#include "lang/syntax/parse/habits.h"

namespace halo::syntax {

bool Cursor::isInFirstColumn(const Token& token) const {
  return files_.locate(file_, token.span.begin).column == 1;
}

// No expression contains these words. A `let` counts at the start of a line only, words of module
// types do where these are: elsewhere they are taken for names.
bool Cursor::startsDeclaration(size_t index) const {
  const Token& token = tokens_[index];
  if (token.kind != TokenKind::kKeyword) return false;
  if (token.text == "let") return isInFirstColumn(token);
  const KeywordUse use = keywordOf(token.text)->use;
  return use == KeywordUse::kDeclaration || (in_specs_ && use == KeywordUse::kSpecification);
}

namespace {

bool isOpener(const Token& token) {
  return token.kind == TokenKind::kPunctuation &&
         (token.text == "(" || token.text == "[" || token.text == "{" || token.text == "#[");
}

bool isCloser(const Token& token) {
  return token.kind == TokenKind::kPunctuation &&
         (token.text == ")" || token.text == "]" || token.text == "}");
}

}  // namespace

// A `->` that no construct takes belongs to a case or to a function: to a case if one is open in
// the same brackets. A pattern in brackets that are not closed says nothing about either.
std::string Cursor::helpAtArrow() const {
  size_t closed = 0;
  for (size_t i = position_; i-- > 0 && !startsDeclaration(i);) {
    if (isCloser(tokens_[i])) ++closed;
    if (isOpener(tokens_[i]) && closed-- == 0) {
      const bool is_pattern =
          i > 0 && (tokens_[i - 1].text == "case" || tokens_[i - 1].text == "\\");
      return is_pattern ? "" : helpBehindValue("->");
    }
    if (closed == 0 && tokens_[i].text == "case") return helpForCase();
  }
  return helpBehindValue("->");
}

bool Cursor::close(std::string_view closer, std::string_view what, Span opener) {
  if (accept(closer)) return true;
  if (!panic_) {
    const bool is_arrow = closer == ")" && peek().text == "->";
    unexpected(fmt::format("`{}` {}", closer, what), opener,
               is_arrow ? helpAtArrow() : helpBeforeCloser(closer, peek().text));
  }
  // The position only moves forward, so an outer bracket continues where this one gave up.
  size_t open = 0;
  for (; tokens_[position_].kind != TokenKind::kEnd && !startsDeclaration(position_); ++position_) {
    const Token& token = tokens_[position_];
    if (isOpener(token)) ++open;
    if (!isCloser(token)) continue;
    if (open == 0) break;
    open--;
  }
  const Token& token = tokens_[position_];
  if (token.kind != TokenKind::kPunctuation || token.text != closer) return false;
  ++position_;
  last_end_ = token.span.end;
  panic_ = sink_.full();
  return false;
}

// Ends a panic at the next declaration, or at the brace that closes the module around.
void Cursor::skipToDeclaration(bool in_module, bool skips_bodies) {
  size_t open = 0;
  for (; tokens_[position_].kind != TokenKind::kEnd; ++position_) {
    if (startsDeclaration(position_) && !(skips_bodies && open > 0)) break;
    const Token& token = tokens_[position_];
    if (token.kind != TokenKind::kPunctuation) continue;
    if (token.text == "{") ++open;
    if (token.text != "}") continue;
    if (open == 0 && in_module) break;
    if (open > 0) open--;
  }
  panic_ = sink_.full();
}

void Cursor::recover(size_t start, bool in_module) {
  // A token that starts no declaration would otherwise stop us for ever.
  if (position_ == start && tokens_[position_].kind != TokenKind::kEnd) ++position_;
  const auto first = tokens_.begin() + static_cast<std::ptrdiff_t>(start);
  const auto failed = tokens_.begin() + static_cast<std::ptrdiff_t>(position_);
  const bool is_module = std::any_of(first, failed, [](const Token& token) {
    return token.kind == TokenKind::kKeyword && token.text == "module";
  });
  // `module type m type {`: the second word is what failed.
  if (is_module && failed->kind == TokenKind::kKeyword && !startsLine(position_)) ++position_;
  skipToDeclaration(in_module, is_module);
}

bool Cursor::startsLine(size_t index) const {
  if (index == 0) return true;
  const Span between{file_, tokens_[index - 1].span.end, tokens_[index].span.begin};
  return files_.text(between).find('\n') != std::string_view::npos;
}

}  // namespace halo::syntax
