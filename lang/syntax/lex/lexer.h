// Text to tokens. Comments are trivia beside the token stream. Stage `tokens`.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lang/diag/diagnostic.h"
#include "lang/syntax/ast.h"

namespace halo::syntax {

enum class TokenKind {
  kIdentifier,  // also keywords are distinguished: kKeyword
  kKeyword,
  kNumber,
  kString,
  kChar,
  kOperator,      // an operator symbol, possibly user-defined
  kPunctuation,   // ( ) [ ] { } , ; : :> -> = \ . .. ... ..< ..> ` # #[ ? ??? ~ _
  kTypeVariable,  // 'a  '~a  '^a
  kDocComment,    // a `-- |` block
  kEnd,
};

struct Token {
  TokenKind kind;
  std::string_view text;  // of the file, or of Tokens::made
  Span span;
  bool space_before = false;  // `f [x]` is not `f[x]`
  uint32_t number = 0;        // kNumber, kChar: which of Tokens::numbers; few tokens are numbers
};

struct Tokens {
  std::vector<Token> tokens;  // ends with kEnd
  std::vector<Number> numbers;
  std::vector<Comment> comments;
  std::vector<std::unique_ptr<const std::string>> made;  // texts of strings and doc comments
};

// A first line `#!..` is skipped. Errors are reported and the bytes skipped.
Tokens lex(const source::Files& files, source::FileId file, diag::Sink& sink);
// Of a part of a file, which begins and ends between tokens.
Tokens lexPart(const source::Files& files, Span part, diag::Sink& sink);

std::string print(const Tokens& tokens, const source::Files& files);

}  // namespace halo::syntax
