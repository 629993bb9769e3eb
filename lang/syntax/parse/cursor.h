// Internal to the parser: a cursor over tokens, with errors and recovery.
//
// The first error of a construct is reported and starts a panic. From then on the cursor shows only
// the end of the text, so every rule returns quickly and nothing else is reported. The panic ends
// where reading can go on safely: behind the closing bracket of an enclosing construct, or at the
// next declaration. (Panic mode: Aho, Sethi, Ullman, Compilers, 1986, 4.1.)
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/syntax/lex/lexer.h"

namespace halo::syntax {

struct DocToken {
  size_t next_token;  // which token follows
  std::string_view text;
  Span span;
};

struct CommentTokens {
  std::vector<Comment> ordinary;
  std::vector<DocToken> docs;
};

class Cursor {
 public:
  Cursor(const source::Files& files, Span part, diag::Sink& sink, bool* incomplete);
  CommentTokens takeComments() { return std::move(comments_); }

  // Looking. In a panic all of these see the end of the text.
  const Token& peek(size_t ahead = 0) const {
    if (panic_ || position_ + ahead >= tokens_.size()) return tokens_.back();
    return tokens_[position_ + ahead];
  }
  // Here and not in cursor.cpp: callers know the text, which makes it a comparison of few bytes.
  bool isToken(TokenKind kind, std::string_view text, size_t ahead) const {
    const Token& token = peek(ahead);
    return token.kind == kind && token.text == text;
  }
  bool isPunctuation(std::string_view text, size_t ahead = 0) const {
    return isToken(TokenKind::kPunctuation, text, ahead);
  }
  bool isKeyword(std::string_view text, size_t ahead = 0) const {
    return isToken(TokenKind::kKeyword, text, ahead);
  }
  bool isOperator(std::string_view text, size_t ahead = 0) const {
    return isToken(TokenKind::kOperator, text, ahead);
  }
  bool isKind(TokenKind kind, size_t ahead = 0) const { return peek(ahead).kind == kind; }
  // The token is `text` and follows the one before without space.
  bool isAdjacent(std::string_view text, size_t ahead = 0) const;
  uint32_t begin() const { return peek().span.begin; }

  // Moving.
  const Token& next();
  void skip(size_t tokens);
  bool accept(std::string_view punctuation);
  bool acceptKeyword(std::string_view keyword);
  bool expect(std::string_view punctuation, std::string_view where, std::string help = {});
  bool expectKeyword(std::string_view keyword, std::string_view where);
  Identifier identifier(std::string_view what);
  // Reads the closing bracket; in a panic skips to it first, and the panic is over if it is there.
  // False: there was a panic.
  bool close(std::string_view closer, std::string_view what, Span opener);
  // Elements until `closer`, which is read; a trailing comma is accepted.
  template <typename Element>
  bool commaSeparated(std::string_view closer, std::string_view what, Span opener,
                      Element element) {
    while (!panic_ && !isPunctuation(closer)) {
      element();
      if (!accept(",")) break;
    }
    return close(closer, what, opener);
  }

  // Places, whether in a panic or not.
  size_t position() const { return position_; }
  const Token& tokenAt(size_t index) const { return tokens_[index]; }
  const Number& numberOf(const Token& token) const { return numbers_[token.number]; }
  source::FileId file() const { return file_; }
  uint32_t lastEnd() const { return last_end_; }  // of the token read last
  Span spanFrom(uint32_t begin) const;
  Span emptySpan() const { return spanFrom(last_end_); }
  std::string_view text(Span span) const { return files_.text(span); }
  bool isInFirstColumn(const Token& token) const;

  // Errors. `opener`: the bracket that was left open, the other half of the sentence.
  void fail(diag::Code code, Span span, std::string message, Span opener = {},
            std::string help = {});
  void unexpected(std::string_view expected, Span opener = {}, std::string help = {});
  diag::Diagnostic& report(diag::Code code, Span span, std::string message);  // without a panic
  std::string helpAtArrow() const;
  void panic() { panic_ = true; }
  bool inPanic() const { return panic_; }
  bool hasErrors() const { return sink_.all().size() > first_diagnostic_; }  // of this text
  bool isFull() const { return sink_.full(); }

  // Behind a panic in a list of declarations that began at token `start`.
  void recover(size_t start, bool in_module);
  // In a module type the words of specs end a panic. Returns the former state.
  bool setInSpecs(bool in_specs) { return std::exchange(in_specs_, in_specs); }

 private:
  friend class Depth;

  bool lexicalErrorNear(const Token& token) const;
  bool startsDeclaration(size_t index) const;
  bool startsLine(size_t index) const;
  // `skips_bodies`: braces with all in them, those of the module that a panic began in.
  void skipToDeclaration(bool in_module, bool skips_bodies);

  const source::Files& files_;
  source::FileId file_;
  diag::Sink& sink_;
  bool* incomplete_;
  std::vector<Token> tokens_;                             // without doc comments
  std::vector<std::unique_ptr<const std::string>> made_;  // texts of tokens
  std::vector<Number> numbers_;
  CommentTokens comments_;
  size_t first_diagnostic_;  // of this file in the sink; the lexer's come first
  size_t lexical_diagnostics_ = 0;
  size_t position_ = 0;
  uint32_t last_end_ = 0;
  size_t depth_ = 0;
  bool panic_ = false;
  bool in_specs_ = false;
};

inline Identifier nameOf(const Token& token) { return {std::string(token.text), token.span}; }

}  // namespace halo::syntax
