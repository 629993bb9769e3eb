// Tokens of Core text. The lexer never fails: a byte that starts nothing is a token of its own, and
// the parser complains where it meets it.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "lang/diag/diagnostic.h"
#include "lang/source/source.h"

namespace halo::core {

enum class TokenKind : uint8_t {
  kName,         // f32.add  xs_3  a'  return: letters, digits, _ ' .
  kNumber,       // 3  -1i64  1.5e-07f32
  kText,         // "any function name", without the quotes
  kPunctuation,  // one character, or ->
  kEnd
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  source::Span span;
};

// Ends with a kEnd token. Comments run from # or // to the end of the line.
std::vector<Token> lex(const source::Files& files, source::FileId file);

// The common part of Core's and Imp's parsers: a position among the tokens. After the first error
// only the end of the text is seen.
class TokenReader {
 protected:
  TokenReader(const source::Files& files, source::FileId file) : tokens_(lex(files, file)) {}

  const Token& peek(size_t ahead = 0) const {
    if (error_) return tokens_.back();
    return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
  }
  Token take() {
    Token token = peek();
    if (position_ + 1 < tokens_.size()) ++position_;
    return token;
  }
  bool isNext(std::string_view text, size_t ahead = 0) const {
    const Token& token = peek(ahead);
    return token.text == text && token.kind != TokenKind::kEnd && token.kind != TokenKind::kText;
  }
  bool accept(std::string_view text) {
    if (!isNext(text)) return false;
    take();
    return true;
  }

  std::vector<Token> tokens_;
  size_t position_ = 0;
  std::optional<diag::Diagnostic> error_;
};

}  // namespace halo::core
