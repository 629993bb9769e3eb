// A hand-written scanner: one function per token kind, each returns where its token ends.
#include "lang/core/text/lex.h"

namespace halo::core {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isNamePart(char c) { return isLetter(c) || isDigit(c) || c == '\'' || c == '.'; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  size_t skipBlank(size_t i) const {
    while (i < text_.size()) {
      bool comment = text_[i] == '#' || (text_[i] == '/' && at(i + 1) == '/');
      bool blank = text_[i] == ' ' || text_[i] == '\n' || text_[i] == '\t' || text_[i] == '\r';
      if (comment) {
        while (i < text_.size() && text_[i] != '\n') ++i;
      } else if (blank) {
        ++i;
      } else {
        break;
      }
    }
    return i;
  }

  size_t digits(size_t i) const {
    while (isDigit(at(i))) ++i;
    return i;
  }

  // -1.5e+10f32: sign, digits, fraction, exponent, type.
  size_t number(size_t i) const {
    i = digits(at(i) == '-' ? i + 1 : i);
    if (at(i) == '.' && isDigit(at(i + 1))) i = digits(i + 1);
    if (at(i) == 'e') {
      size_t exponent = at(i + 1) == '+' || at(i + 1) == '-' ? i + 2 : i + 1;
      if (isDigit(at(exponent))) i = digits(exponent);
    }
    while (isLetter(at(i)) || isDigit(at(i))) ++i;
    return i;
  }

  Token next(size_t i) const {
    char c = text_[i];
    if (isLetter(c)) {
      size_t end = i;
      while (isNamePart(at(end))) ++end;
      return {TokenKind::kName, text_.substr(i, end - i), {}};
    }
    if (isDigit(c) || (c == '-' && isDigit(at(i + 1)))) {
      return {TokenKind::kNumber, text_.substr(i, number(i) - i), {}};
    }
    if (c == '"') {
      size_t end = text_.find_first_of("\"\n", i + 1);
      if (end != std::string_view::npos && text_[end] == '"') {
        return {TokenKind::kText, text_.substr(i, end + 1 - i), {}};
      }
    }
    return {TokenKind::kPunctuation, text_.substr(i, c == '-' && at(i + 1) == '>' ? 2 : 1), {}};
  }

 private:
  std::string_view text_;
};

}  // namespace

std::vector<Token> lex(const source::Files& files, source::FileId file) {
  std::string_view text = files[file].text;
  Scanner scanner(text);
  std::vector<Token> tokens;
  size_t i = scanner.skipBlank(0);
  while (i < text.size()) {
    Token token = scanner.next(i);
    size_t end = i + token.text.size();
    token.span = {file, static_cast<uint32_t>(i), static_cast<uint32_t>(end)};
    if (token.kind == TokenKind::kText) token.text = token.text.substr(1, token.text.size() - 2);
    tokens.push_back(token);
    i = scanner.skipBlank(end);
  }
  auto end = static_cast<uint32_t>(text.size());
  tokens.push_back({TokenKind::kEnd, "end of text", {file, end, end}});
  return tokens;
}

}  // namespace halo::core
