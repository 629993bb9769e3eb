// Floats as digits by fmt's shortest spelling, laid out by the rule of std::to_chars: fixed or with
// an exponent, whichever is shorter.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace halo::web {

namespace {

std::to_chars_result copied(char* begin, char* end, std::string_view text) {
  if (static_cast<size_t>(end - begin) < text.size()) return {end, std::errc::value_too_large};
  std::memcpy(begin, text.data(), text.size());
  return {begin + text.size(), std::errc()};
}

// `-d.ddde+XX` taken apart: the value is 0.DIGITS * 10^point.
struct Digits {
  std::string digits;  // at least one; no zero at the end
  int point = 0;
};

Digits digitsIn(std::string_view text) {
  Digits result;
  bool is_behind_point = false;
  size_t at = 0;
  for (; at < text.size() && text[at] != 'e'; ++at) {
    if (text[at] == '.') {
      is_behind_point = true;
      continue;
    }
    if (text[at] == '0' && result.digits.empty()) {
      if (is_behind_point) result.point--;
      continue;
    }
    result.digits += text[at];
    if (!is_behind_point) ++result.point;
  }
  if (at < text.size()) result.point += std::atoi(text.data() + at + 1);
  while (!result.digits.empty() && result.digits.back() == '0') result.digits.pop_back();
  return result;
}

std::string scientific(const Digits& parts) {
  std::string text = parts.digits.substr(0, 1);
  if (parts.digits.size() > 1) text += "." + parts.digits.substr(1);
  const int exponent = parts.point - 1;
  return text + fmt::format("e{}{:02}", exponent < 0 ? '-' : '+', std::abs(exponent));
}

// A number whose digits end before the point is written exactly.
std::string fixed(const Digits& parts, double magnitude) {
  const auto count = static_cast<int>(parts.digits.size());
  if (parts.point <= 0) return "0." + std::string(-parts.point, '0') + parts.digits;
  if (parts.point < count) {
    return parts.digits.substr(0, parts.point) + "." + parts.digits.substr(parts.point);
  }
  return fmt::format("{:.0f}", magnitude);
}

size_t fixedSize(const Digits& parts) {
  const auto count = static_cast<int>(parts.digits.size());
  if (parts.point <= 0) return static_cast<size_t>(2 - parts.point + count);
  return static_cast<size_t>(parts.point < count ? count + 1 : parts.point);
}

}  // namespace

uint16_t halfOf(double value) {
  const uint64_t bits = __builtin_bit_cast(uint64_t, value);
  const auto sign = static_cast<uint16_t>(bits >> 48 & 0x8000);
  const auto exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  if (exponent == 1024) return static_cast<uint16_t>(sign | 0x7c00 | (fraction != 0 ? 0x200 : 0));
  if (exponent > 15) return static_cast<uint16_t>(sign | 0x7c00);
  if (exponent < -25) return sign;
  // Subnormal halves have the exponent -14 and no leading one.
  fraction |= uint64_t{1} << 52;
  const int shift = exponent < -14 ? 42 + (-14 - exponent) : 42;
  uint64_t half = fraction >> shift;
  const uint64_t rest = fraction & ((uint64_t{1} << shift) - 1), tie = uint64_t{1} << (shift - 1);
  if (rest > tie || (rest == tie && (half & 1) != 0)) ++half;
  // The leading one adds 1 to the exponent field, and so does a carry out of the fraction.
  if (exponent >= -14) half += static_cast<uint64_t>(exponent + 14) << 10;
  return static_cast<uint16_t>(sign | half);
}

double doubleOf(uint16_t half) {
  const int exponent = half >> 10 & 0x1f;
  const int fraction = half & 0x3ff;
  const double sign = (half & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}

std::to_chars_result writeFloat(char* begin, char* end, const char* shortest, double value) {
  const std::string sign = std::signbit(value) ? "-" : "";
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return copied(begin, end, sign + "0");
  if (!std::isfinite(magnitude)) return copied(begin, end, sign + (magnitude > 0 ? "inf" : "nan"));
  const Digits parts = digitsIn(shortest);
  const std::string with_exponent = scientific(parts);
  const bool is_fixed = fixedSize(parts) <= with_exponent.size();
  return copied(begin, end, sign + (is_fixed ? fixed(parts, magnitude) : with_exponent));
}

std::from_chars_result readFloat(const char* begin, const char* end, std::chars_format format,
                                 double* wide, float* narrow) {
  const bool is_hex = format == std::chars_format::hex;
  const std::string_view text(begin, static_cast<size_t>(end - begin));
  const size_t first = text.starts_with('-') ? 1 : 0;
  const bool begins_well =
      first < text.size() && text[first] != '+' && text[first] != '-' && text[first] != ' ';
  if (!begins_well) return {begin, std::errc::invalid_argument};
  // strtod takes a prefix for hexadecimal digits, and would take one where none is meant.
  const bool has_prefix =
      text.substr(first).starts_with("0x") || text.substr(first).starts_with("0X");
  std::string copy(text.substr(0, first));
  copy += is_hex ? "0x" : "";
  const size_t added = copy.size() - first;
  copy += has_prefix ? text.substr(first, 1) : text.substr(first);
  char* stop = nullptr;
  if (wide != nullptr) *wide = std::strtod(copy.c_str(), &stop);
  if (narrow != nullptr) *narrow = std::strtof(copy.c_str(), &stop);
  const auto read = static_cast<size_t>(stop - copy.c_str());
  if (read <= first + added) return {begin, std::errc::invalid_argument};
  return {begin + (read - added), std::errc()};
}

}  // namespace halo::web

namespace std {

to_chars_result to_chars(char* begin, char* end, float value) {
  return halo::web::writeFloat(begin, end, fmt::format("{}", std::fabs(value)).c_str(), value);
}

to_chars_result to_chars(char* begin, char* end, double value) {
  return halo::web::writeFloat(begin, end, fmt::format("{}", std::fabs(value)).c_str(), value);
}

to_chars_result to_chars(char* begin, char* end, double value, chars_format, int precision) {
  return halo::web::copied(begin, end, fmt::format("{:.{}g}", value, precision));
}

}  // namespace std
