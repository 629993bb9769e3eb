// Parts of C++20 that clang 14 and libc++ 13 for WebAssembly lack, in front of every file that
// emscripten compiles: std::bit_cast, to_chars and from_chars of floats, _Float16, roundeven.
// Texts are those of libstdc++, digit by digit: tests/tools/playground.py compares them with the
// command's.
#pragma once

#include <charconv>
#include <cstdint>

namespace halo::web {

// IEEE 754 binary16 by integers; one rounding, to nearest, ties to even.
uint16_t halfOf(double value);
double doubleOf(uint16_t half);

struct Half {
  uint16_t bits;
  explicit Half(double value) : bits(halfOf(value)) {}
  explicit operator double() const { return doubleOf(bits); }
};

std::to_chars_result writeFloat(char* begin, char* end, const char* shortest, double value);
std::from_chars_result readFloat(const char* begin, const char* end, std::chars_format format,
                                 double* wide, float* narrow);

}  // namespace halo::web

namespace std {

template <typename To, typename From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

to_chars_result to_chars(char* begin, char* end, float value);
to_chars_result to_chars(char* begin, char* end, double value);
to_chars_result to_chars(char* begin, char* end, double value, chars_format format, int precision);

inline from_chars_result from_chars(const char* begin, const char* end, double& value,
                                    chars_format format = chars_format::general) {
  return halo::web::readFloat(begin, end, format, &value, nullptr);
}
inline from_chars_result from_chars(const char* begin, const char* end, float& value,
                                    chars_format format = chars_format::general) {
  return halo::web::readFloat(begin, end, format, nullptr, &value);
}

}  // namespace std

#define _Float16 ::halo::web::Half
#define __builtin_roundeven __builtin_nearbyint  // WebAssembly rounds half to even alone
