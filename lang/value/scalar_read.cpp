// Scalars from text: `1`, `-2i8`, `0xFFu8`, `0b1_0`, `1.5e3f32`, `0x1.8p3`, `-f32.inf`, `true`.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "lang/value/readers.h"

namespace halo::value {

namespace {

using Outcome = base::Expected<Scalar, std::string>;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

tl::unexpected<std::string> notAValue(std::string_view word) {
  return tl::unexpected(fmt::format("expected a value, found `{}`", word));
}

std::string withoutUnderscores(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c != '_') plain += c;
  }
  return plain;
}

// The rest of the word after its parts were taken off.
struct Spelling {
  std::string_view word;  // as written, for messages
  bool negative = false;
  std::string digits;  // no sign, prefix, `_` or suffix
  int base = 10;
  bool is_float = false;  // has a point or an exponent
  std::optional<ScalarType> suffix;
};

std::optional<ScalarType> takeSuffix(std::string_view* text, bool floats_too) {
  for (const ScalarType type : prim::kAllScalarTypes) {
    if (type == ScalarType::kBool || (prim::isFloat(type) && !floats_too)) continue;
    if (!text->ends_with(prim::name(type))) continue;
    text->remove_suffix(prim::name(type).size());
    return type;
  }
  return std::nullopt;
}

Spelling takeApart(std::string_view word) {
  Spelling spelling;
  spelling.word = word;
  std::string_view text = word;
  if (text.starts_with('-')) {
    spelling.negative = true;
    text.remove_prefix(1);
  }
  if (text.starts_with("0x") || text.starts_with("0X")) spelling.base = 16;
  if (text.starts_with("0b") || text.starts_with("0B")) spelling.base = 2;
  if (spelling.base != 10) text.remove_prefix(2);
  const bool hex_float = spelling.base == 16 && text.find_first_of("pP") != std::string_view::npos;
  // In `0xf32` the last three are digits.
  spelling.suffix = takeSuffix(&text, spelling.base == 10 || hex_float);
  spelling.is_float =
      hex_float || (spelling.base == 10 && text.find_first_of(".eE") != std::string_view::npos);
  const bool leading_underscore = text.starts_with('_');
  spelling.digits = leading_underscore ? std::string() : withoutUnderscores(text);
  return spelling;
}

Outcome integerFrom(const Spelling& spelling, ScalarType type) {
  const char* begin = spelling.digits.data();
  const char* end = begin + spelling.digits.size();
  uint64_t magnitude = 0;
  const auto [stop, error] = std::from_chars(begin, end, magnitude, spelling.base);
  if (stop != end || begin == end) return notAValue(spelling.word);
  const int bits = prim::bitWidth(type);
  // Hexadecimal and binary may spell the bits of a negative number.
  const bool spells_bits = spelling.base != 10 && !spelling.negative;
  uint64_t limit = ~uint64_t{0} >> (64 - bits);
  if (prim::isSigned(type) && !spells_bits) limit = (limit >> 1) + (spelling.negative ? 1 : 0);
  if (prim::isUnsigned(type) && spelling.negative) limit = 0;
  if (error != std::errc() || magnitude > limit) {
    return tl::unexpected(
        fmt::format("number `{}` does not fit `{}`", spelling.word, prim::name(type)));
  }
  return Scalar::ofUnsigned(type, spelling.negative ? 0 - magnitude : magnitude);
}

// from_chars leaves numbers beyond the range alone; strtod makes them infinite, tiny or zero.
template <typename Float>
bool readFloat(const std::string& digits, int base, Float* value) {
  const char* end = digits.data() + digits.size();
  const auto format = base == 16 ? std::chars_format::hex : std::chars_format::general;
  const auto [stop, error] = std::from_chars(digits.data(), end, *value, format);
  if (stop != end) return false;
  if (error == std::errc()) return true;
  if (error != std::errc::result_out_of_range) return false;
  const std::string whole = (base == 16 ? "0x" : "") + digits;
  *value = sizeof(Float) == sizeof(float) ? static_cast<Float>(std::strtof(whole.c_str(), nullptr))
                                          : static_cast<Float>(std::strtod(whole.c_str(), nullptr));
  return true;
}

Outcome floatFrom(const Spelling& spelling, ScalarType type) {
  // from_chars would also take `inf` and `nan`.
  const bool begins_well =
      !spelling.digits.empty() && (isDigit(spelling.digits[0]) || (spelling.base == 16));
  double value = 0;
  bool is_read = begins_well;
  if (is_read && spelling.base == 2) {
    const Outcome integer =
        integerFrom({spelling.word, false, spelling.digits, 2, false, {}}, ScalarType::kU64);
    if (!integer) return integer;
    value = static_cast<double>(integer->bits);
  } else if (is_read && type == ScalarType::kF32) {
    float narrow = 0;  // rounds once
    is_read = readFloat(spelling.digits, spelling.base, &narrow);
    value = static_cast<double>(narrow);
  } else if (is_read) {
    is_read = readFloat(spelling.digits, spelling.base, &value);
  }
  if (!is_read) return notAValue(spelling.word);
  return Scalar::ofFloat(type, spelling.negative ? -value : value);
}

// `true`, `false`, `f32.nan`, `-f16.inf`.
std::optional<Scalar> namedScalar(std::string_view word) {
  if (word == "true" || word == "false") return Scalar::ofBool(word == "true");
  const bool negative = word.starts_with('-');
  if (negative) word.remove_prefix(1);
  for (const ScalarType type : {ScalarType::kF16, ScalarType::kF32, ScalarType::kF64}) {
    if (!word.starts_with(prim::name(type))) continue;
    const std::string_view what = word.substr(prim::name(type).size());
    const double infinity = std::numeric_limits<double>::infinity();
    if (what == ".nan") return Scalar::ofFloat(type, std::nan(""));
    if (what == ".inf") return Scalar::ofFloat(type, negative ? -infinity : infinity);
  }
  return std::nullopt;
}

std::string wrongElement(std::string_view word, ScalarType found, ScalarType fixed) {
  return fmt::format("element `{}` has type `{}`, the first one has `{}`", word, prim::name(found),
                     prim::name(fixed));
}

}  // namespace

bool isWordByte(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
         c == '-' || c == '+' || c == '\'';
}

Outcome scalarFromWord(std::string_view word, std::optional<ScalarType> fixed) {
  if (const std::optional<Scalar> named = namedScalar(word)) {
    if (fixed && named->type != *fixed) {
      return tl::unexpected(wrongElement(word, named->type, *fixed));
    }
    return *named;
  }
  const Spelling spelling = takeApart(word);
  if (spelling.digits.empty()) return notAValue(word);
  const ScalarType bare = spelling.is_float ? ScalarType::kF64 : ScalarType::kI32;
  const ScalarType type = spelling.suffix.value_or(fixed.value_or(bare));
  const Outcome scalar =
      prim::isFloat(type) ? floatFrom(spelling, type)
      : prim::isInteger(type)
          ? integerFrom(spelling, type)
          : integerFrom(spelling, ScalarType::kU64);  // in an array of bool: report the word first
  if (spelling.is_float && prim::isInteger(type)) {
    if (spelling.suffix || !fixed) return notAValue(word);
    return tl::unexpected(wrongElement(word, bare, *fixed));
  }
  if (!scalar) return scalar;
  if (fixed && type != *fixed) return tl::unexpected(wrongElement(word, type, *fixed));
  if (type == ScalarType::kBool) return tl::unexpected(wrongElement(word, bare, *fixed));
  return scalar;
}

namespace {

bool readPlainInteger(std::string_view text, size_t* at, ScalarType type, uint64_t* bits) {
  const size_t begin = *at;
  size_t i = begin;
  const bool negative = i < text.size() && text[i] == '-';
  if (negative) ++i;
  const size_t first = i;
  uint64_t magnitude = 0;
  for (; i < text.size() && isDigit(text[i]); ++i) {
    magnitude = magnitude * 10 + static_cast<uint64_t>(text[i] - '0');
  }
  if (i == first || i - first > 18) return false;  // 18 digits fit every 64-bit type
  if (text.substr(i).starts_with(prim::name(type))) i += prim::name(type).size();
  if (i < text.size() && isWordByte(text[i])) return false;
  const uint64_t limit = ~uint64_t{0} >> (64 - prim::bitWidth(type) + prim::isSigned(type));
  if (magnitude > limit || (negative && prim::isUnsigned(type))) return false;
  *bits = Scalar::ofUnsigned(type, negative ? 0 - magnitude : magnitude).bits;
  *at = i;
  return true;
}

template <typename Float>
bool readPlainFloat(std::string_view text, size_t* at, ScalarType type, uint64_t* bits) {
  size_t first = *at;
  if (first < text.size() && text[first] == '-') ++first;
  if (first >= text.size() || !isDigit(text[first])) return false;  // `inf`, `nan` are not ours
  Float value = 0;
  const auto [stop, error] = std::from_chars(text.data() + *at, text.data() + text.size(), value);
  if (error != std::errc()) return false;
  auto i = static_cast<size_t>(stop - text.data());
  if (text.substr(i).starts_with(prim::name(type))) i += prim::name(type).size();
  if (i < text.size() && isWordByte(text[i])) return false;
  *bits = Scalar::ofFloat(type, static_cast<double>(value)).bits;
  *at = i;
  return true;
}

}  // namespace

bool readPlainNumber(std::string_view text, size_t* at, ScalarType type, uint64_t* bits) {
  if (prim::isInteger(type)) return readPlainInteger(text, at, type, bits);
  if (type == ScalarType::kF32) return readPlainFloat<float>(text, at, type, bits);
  if (prim::isFloat(type)) return readPlainFloat<double>(text, at, type, bits);
  return false;
}

}  // namespace halo::value
