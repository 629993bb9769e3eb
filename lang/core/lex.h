// Tokens of Core text. The lexer never fails: a byte that starts nothing is a token of its own, and
// the parser complains where it meets it.
#pragma once

#include <string_view>
#include <vector>

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

}  // namespace halo::core
