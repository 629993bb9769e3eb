// Internal to the lexer: the cursor, shared by lexer.cpp (tokens), lex_number.cpp and lex_text.cpp.
#pragma once

#include <string_view>

#include "lang/syntax/lex/lexer.h"

namespace halo::syntax {

inline constexpr size_t kMaxFileSize = size_t{16} << 20;

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
inline bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool isNameStart(char c) { return isLetter(c) || c == '_'; }
inline bool isNamePart(char c) { return isNameStart(c) || isDigit(c) || c == '\''; }
inline bool isOperatorStart(char c) {
  switch (c) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '=':
    case '!':
    case '>':
    case '<':
    case '|':
    case '&':
    case '^':
      return true;
    default:
      return false;
  }
}
inline bool isOperatorPart(char c) { return isOperatorStart(c) || c == '.'; }

class Lexer {
 public:
  Lexer(const source::Files& files, Span part, diag::Sink& sink)
      : file_(part.file),
        text_(std::string_view(files[part.file].text).substr(0, part.end)),
        sink_(sink),
        position_(part.begin) {}
  Tokens run();

 private:
  // lexer.cpp
  bool checkFile();
  void skipStart();
  bool skipTrivia();
  void comment();
  void docComment();
  void token();
  void name();
  void operatorSymbol();
  void punctuation();
  void unexpected();

  // lex_number.cpp
  void number();
  void fieldNumber();
  void decimalNumber(Number& number);
  void hexNumber(Number& number);
  void binaryNumber(Number& number);
  void romanNumber(Number& number);
  bool digits(std::string_view allowed, std::string& out);
  bool exponent(std::string_view letters, std::string& out);
  void suffix(Number& number, size_t begin);
  void malformed(size_t begin, std::string_view why);
  bool accumulate(Number& number, std::string_view digits, uint64_t base);

  // lex_text.cpp
  void string();
  size_t endOverLines() const;
  void quote();
  void character();
  void typeVariable();
  bool escape(std::string& out, uint32_t* value);
  bool emptyEscape();
  std::optional<uint32_t> controlEscape();
  std::optional<uint32_t> numericEscape();

  char at(size_t offset = 0) const {
    return position_ + offset < text_.size() ? text_[position_ + offset] : '\0';
  }
  bool atEnd() const { return position_ >= text_.size(); }
  std::string_view rest() const { return text_.substr(position_); }
  bool startsWith(std::string_view prefix) const {
    return at() == prefix.front() && rest().substr(0, prefix.size()) == prefix;
  }
  Span spanFrom(size_t begin) const {
    return {file_, static_cast<uint32_t>(begin), static_cast<uint32_t>(position_)};
  }
  std::string_view textFrom(size_t begin) const { return text_.substr(begin, position_ - begin); }
  Token& emit(TokenKind kind, size_t begin) {
    tokens_.tokens.push_back({kind, textFrom(begin), spanFrom(begin), space_before_, 0});
    space_before_ = false;
    return tokens_.tokens.back();
  }
  void emitMade(TokenKind kind, size_t begin, std::string text) {
    tokens_.made.push_back(std::make_unique<const std::string>(std::move(text)));
    emit(kind, begin).text = *tokens_.made.back();
  }
  void emitNumber(TokenKind kind, size_t begin, Number number) {
    emit(kind, begin).number = static_cast<uint32_t>(tokens_.numbers.size());
    tokens_.numbers.push_back(std::move(number));
  }

  source::FileId file_;
  std::string_view text_;
  diag::Sink& sink_;
  size_t position_;
  bool space_before_ = true;
  bool number_failed_ = false;  // one complaint per number
  Tokens tokens_;
};

}  // namespace halo::syntax
