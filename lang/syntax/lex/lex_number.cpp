// Number literals: decimal, hexadecimal, binary and Roman integers, decimal and hexadecimal floats,
// `_` between digits, type suffixes. A malformed number still becomes a token, so that the parser
// has nothing to add.
#include <fmt/format.h>

#include <charconv>

#include "lang/syntax/lex/lexer_state.h"
#include "lang/syntax/lex/number_range.h"

namespace halo::syntax {

using diag::Code;

namespace {

constexpr std::string_view kDecimal = "0123456789";
constexpr std::string_view kHex = "0123456789abcdefABCDEF";

bool isOneOf(char c, std::string_view set) {
  return c != '\0' && set.find(c) != std::string_view::npos;
}

int digitValue(char c) { return isDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10; }

int romanValue(char c) {
  static constexpr std::string_view kLetters = "IVXLCDM";
  static constexpr int kValues[] = {1, 5, 10, 50, 100, 500, 1000};
  return kValues[kLetters.find(c)];
}

}  // namespace

bool exceeds64Bits(const Number& number) {
  if (number.is_decimal) return false;
  const bool is_hex = number.text.size() > 2 && (number.text[1] | 0x20) == 'x';
  const char* const begin = number.text.data() + (is_hex ? 2 : 0);
  uint64_t value = 0;
  const char* const end = number.text.data() + number.text.size();
  return std::from_chars(begin, end, value, is_hex ? 16 : 10).ec == std::errc::result_out_of_range;
}

void Lexer::number() {
  const auto& tokens = tokens_.tokens;
  if (!tokens.empty() && !space_before_ && tokens.back().text == "." &&
      tokens.back().kind == TokenKind::kPunctuation) {
    fieldNumber();
    return;
  }
  size_t begin = position_;
  number_failed_ = false;
  Number number;
  char prefix = at() == '0' ? static_cast<char>(at(1) | 0x20) : '\0';
  if (prefix == 'x') {
    hexNumber(number);
  } else if (prefix == 'b') {
    binaryNumber(number);
  } else if (prefix == 'r') {
    romanNumber(number);
  } else {
    decimalNumber(number);
  }
  suffix(number, begin);
  emitNumber(TokenKind::kNumber, begin, std::move(number));
}

// In `x.0.1` the digits after a dot are a field, never the start of a decimal number.
void Lexer::fieldNumber() {
  size_t begin = position_;
  Number number;
  number_failed_ = false;
  digits(kDecimal, number.text);
  accumulate(number, number.text, 10);
  if (isNameStart(at())) malformed(begin, "a field is a name or a number");
  emitNumber(TokenKind::kNumber, begin, std::move(number));
}

// Appends the digits to `out` without `_`; true if there was one.
bool Lexer::digits(std::string_view allowed, std::string& out) {
  bool any = false;
  while (isOneOf(at(), allowed) || (any && at() == '_')) {
    if (at() != '_') out += at();
    any = true;
    ++position_;
  }
  return any;
}

bool Lexer::exponent(std::string_view letters, std::string& out) {
  if (!isOneOf(at(), letters)) return false;
  size_t sign = at(1) == '+' || at(1) == '-' ? 1 : 0;
  if (!isDigit(at(1 + sign))) return false;
  out += rest().substr(0, 1 + sign);
  position_ += 1 + sign;
  return digits(kDecimal, out);
}

void Lexer::decimalNumber(Number& number) {
  digits(kDecimal, number.text);
  if (at() == '.' && isDigit(at(1))) {
    number.is_decimal = true;
    number.text += '.';
    ++position_;
    digits(kDecimal, number.text);
  }
  if (exponent("eE", number.text)) number.is_decimal = true;
  if (!number.is_decimal) accumulate(number, number.text, 10);
}

void Lexer::hexNumber(Number& number) {
  size_t begin = position_;
  position_ += 2;
  number.text = "0x";
  bool any = digits(kHex, number.text);
  if (any && at() == '.' && isOneOf(at(1), kHex)) {
    number.is_decimal = true;
    number.text += '.';
    ++position_;
    digits(kHex, number.text);
    if (!exponent("pP", number.text)) {
      malformed(begin, "a hexadecimal float needs an exponent, as in `0x1.8p3`");
    }
    return;
  }
  if (!any) {
    malformed(begin, "digits are missing after `0x`");
  } else {
    accumulate(number, std::string_view(number.text).substr(2), 16);
  }
}

void Lexer::binaryNumber(Number& number) {
  size_t begin = position_;
  position_ += 2;
  number.text = "0b";
  if (!digits("01", number.text)) {
    malformed(begin, "digits `0` or `1` are missing after `0b`");
  } else if (!accumulate(number, std::string_view(number.text).substr(2), 2)) {
    sink_.error(Code::number_out_of_range, spanFrom(begin),
                "the number is out of range, an integer has at most 64 bits");
    number_failed_ = true;
  }
}

void Lexer::romanNumber(Number& number) {
  size_t begin = position_;
  position_ += 2;
  std::string letters;
  if (!digits("IVXLCDM", letters)) {
    malformed(begin, "Roman digits are missing after `0r`");
    return;
  }
  number.text = "0r" + letters;
  int64_t value = 0;
  for (size_t i = 0; i < letters.size(); ++i) {
    int digit = romanValue(letters[i]);
    bool before_larger = i + 1 < letters.size() && digit < romanValue(letters[i + 1]);
    value += before_larger ? -digit : digit;
  }
  number.integer = static_cast<uint64_t>(value);
}

// False if 64 bits are too few; with the suffix of an integer the value wraps all the same.
bool Lexer::accumulate(Number& number, std::string_view digits, uint64_t base) {
  uint64_t value = 0;
  bool fits = true;
  for (char c : digits) {
    auto digit = static_cast<uint64_t>(digitValue(c));
    fits = fits && value <= (UINT64_MAX - digit) / base;
    value = value * base + digit;
  }
  number.integer = value;
  return fits || isOneOf(at(), "iu");
}

void Lexer::suffix(Number& number, size_t begin) {
  size_t suffix_begin = position_;
  while (isNamePart(at())) ++position_;
  std::string_view name = text_.substr(suffix_begin, position_ - suffix_begin);
  if (name.empty()) return;
  std::optional<prim::ScalarType> type = prim::scalarTypeFromName(name);
  if (!type || *type == prim::ScalarType::kBool) {
    malformed(begin, fmt::format("`{}` is not a suffix, those are `i8` to `i64`, `u8` to `u64` "
                                 "and `f16` to `f64`",
                                 name));
  } else if (number.is_decimal && !prim::isFloat(*type)) {
    malformed(begin, fmt::format("a number with a point or exponent is not an `{}`", name));
  } else {
    number.suffix = type;
  }
}

void Lexer::malformed(size_t begin, std::string_view why) {
  while (isNamePart(at())) ++position_;
  if (number_failed_) return;
  number_failed_ = true;
  sink_.error(
      Code::malformed_number, spanFrom(begin),
      fmt::format("malformed number `{}`: {}", text_.substr(begin, position_ - begin), why));
}

}  // namespace halo::syntax
