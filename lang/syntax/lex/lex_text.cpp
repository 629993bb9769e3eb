// Strings, character literals and type variables: everything that starts with a quote. Escapes are
// those of Haskell, which Futhark uses: `\n \t \\ \" \'`, `\65`, `\x41`, `\o101`, `\NUL`, `\^A`,
// and two that stand for no character: `\&`, and spaces between backslashes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "lang/syntax/lex/lexer_state.h"
#include "lang/syntax/lex/utf8.h"

namespace halo::syntax {

using diag::Code;

void Lexer::string() {
  size_t begin = position_++;
  std::string bytes;
  while (!atEnd() && at() != '"' && at() != '\n') {
    if (at() == '\\') {
      escape(bytes, nullptr);
      continue;
    }
    CodePoint c = decodeUtf8(rest());
    bytes += rest().substr(0, c.length);  // bytes that are not UTF-8 have been reported
    position_ += c.length == 0 ? 1 : c.length;
  }
  if (at() == '"') {
    ++position_;
  } else {
    sink_.error(Code::unterminated_text, spanFrom(begin),
                "string without its closing `\"` on the same line");
    position_ = endOverLines();
  }
  emitMade(TokenKind::kString, begin, std::move(bytes));
}

// Behind the quote that closes a string on a later line: the first one of a line with an odd number
// of them. An empty line is taken for the end of a definition.
size_t Lexer::endOverLines() const {
  for (size_t begin = position_ + 1; begin < text_.size();) {
    const size_t end = std::min(text_.find('\n', begin), text_.size());
    const std::string_view line = text_.substr(begin, end - begin);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) break;
    const auto quotes = std::count(line.begin(), line.end(), '"');
    if (quotes % 2 == 1) return begin + line.find('"') + 1;
    if (quotes > 0) break;
    begin = end + 1;
  }
  return position_;
}

// `'x'` is a character, `'x` a type variable.
void Lexer::quote() {
  bool escaped = at(1) == '\\';
  size_t length = position_ + 1 < text_.size() ? decodeUtf8(text_.substr(position_ + 1)).length : 0;
  if (escaped || (length > 0 && at(1) != '\'' && at(1) != '\n' && at(1 + length) == '\'')) {
    character();
  } else {
    typeVariable();
  }
}

void Lexer::character() {
  size_t begin = position_++;
  uint32_t value = 0;
  std::string ignored;
  if (at() == '\\') {
    escape(ignored, &value);
  } else {
    CodePoint c = decodeUtf8(rest());
    value = c.value;
    position_ += c.length;
  }
  if (at() == '\'') {
    ++position_;
  } else {
    sink_.error(Code::unterminated_text, spanFrom(begin),
                "character literal without its closing `'`");
  }
  Number number;
  number.integer = value;
  number.text = std::string(text_.substr(begin, position_ - begin));
  emitNumber(TokenKind::kChar, begin, std::move(number));
}

void Lexer::typeVariable() {
  size_t begin = position_;
  size_t mark = at(1) == '~' || at(1) == '^' ? 1 : 0;
  position_ += 1 + mark;
  if (!isNameStart(at())) {
    sink_.error(
        Code::unexpected_character, spanFrom(begin),
        "unexpected `'`, which starts a character as in `'x'` or a type variable as in `'a`");
    space_before_ = true;
    return;
  }
  while (isNamePart(at())) ++position_;
  emit(TokenKind::kTypeVariable, begin);
}

// Appends the character of the escape at the cursor. False (reported) if it is none.
bool Lexer::escape(std::string& out, uint32_t* value) {
  static constexpr std::string_view kLetters = "abfnrtv\\\"'";
  static constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\\"'";
  size_t begin = position_++;
  std::optional<uint32_t> code_point;
  size_t letter = at() == '\0' ? std::string_view::npos : kLetters.find(at());
  if (value == nullptr && emptyEscape()) return true;
  if (letter != std::string_view::npos) {
    code_point = static_cast<unsigned char>(kMeanings[letter]);
    ++position_;
  } else {
    code_point = controlEscape();
    if (!code_point) code_point = numericEscape();
  }
  if (!code_point) {
    if (position_ == begin + 1 && at() != '\n' && !atEnd()) {
      position_ += std::max<size_t>(decodeUtf8(rest()).length, 1);
    }
    sink_.error(Code::unexpected_character, spanFrom(begin),
                fmt::format("unknown escape `{}` in a text literal",
                            text_.substr(begin, position_ - begin)));
    return false;
  }
  appendUtf8(out, *code_point);
  if (value != nullptr) *value = *code_point;
  return true;
}

// `\&` ends a number before digits, `\  \` is a gap.
bool Lexer::emptyEscape() {
  size_t length = 1;
  if (at() == ' ') {
    while (at(length) == ' ') ++length;
    if (at(length) != '\\') return false;
    ++length;
  } else if (at() != '&') {
    return false;
  }
  position_ += length;
  return true;
}

// ASCII's names and `^A` to `^_`; the first name that fits, so `SOH` stands before `SO`.
std::optional<uint32_t> Lexer::controlEscape() {
  static constexpr std::array<std::pair<std::string_view, uint32_t>, 34> kNames = {{
      {"NUL", 0},  {"SOH", 1},  {"STX", 2},  {"ETX", 3},  {"EOT", 4},  {"ENQ", 5},   {"ACK", 6},
      {"BEL", 7},  {"BS", 8},   {"HT", 9},   {"LF", 10},  {"VT", 11},  {"FF", 12},   {"CR", 13},
      {"SO", 14},  {"SI", 15},  {"DLE", 16}, {"DC1", 17}, {"DC2", 18}, {"DC3", 19},  {"DC4", 20},
      {"NAK", 21}, {"SYN", 22}, {"ETB", 23}, {"CAN", 24}, {"EM", 25},  {"SUB", 26},  {"ESC", 27},
      {"FS", 28},  {"GS", 29},  {"RS", 30},  {"US", 31},  {"SP", 32},  {"DEL", 127},
  }};
  for (const auto& [name, code_point] : kNames) {
    if (!startsWith(name)) continue;
    position_ += name.size();
    return code_point;
  }
  if (at() != '^' || at(1) < '@' || at(1) > '_') return std::nullopt;
  const auto letter = static_cast<uint32_t>(at(1));
  position_ += 2;
  return letter - '@';
}

std::optional<uint32_t> Lexer::numericEscape() {
  std::string spelling;
  uint32_t base = 10;
  std::string_view allowed = "0123456789";
  if (at() == 'x' || at() == 'o') {
    base = at() == 'x' ? 16 : 8;
    allowed = at() == 'x' ? "0123456789abcdefABCDEF" : "01234567";
    ++position_;
  }
  while (!atEnd() && allowed.find(at()) != std::string_view::npos) {
    spelling += at();
    ++position_;
  }
  if (spelling.empty()) return std::nullopt;
  Number number;
  if (!accumulate(number, spelling, base) || number.integer > 0x10ffff ||
      !isScalarValue(static_cast<uint32_t>(number.integer))) {
    return std::nullopt;
  }
  return static_cast<uint32_t>(number.integer);
}

}  // namespace halo::syntax
