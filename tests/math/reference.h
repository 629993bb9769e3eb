// The right results of the float modules' functions, by MPFR, and a result's distance from them.
#pragma once

#include <mpfr.h>

#include <functional>
#include <string>
#include <vector>

namespace halo::math_test {

// One function of `f32` and `f64`, by its name there.
struct Function {
  std::string name;
  int arity = 1;
  double bound_f32 = 1;  // units in the last place (language.md#semantics)
  double bound_f64 = 2;
  // Where it is looked at most closely, in addition to all exponents and the special values.
  double from = -10;
  double to = 10;
  // Writes the result, rounded to nearest in the precision of `result`; `args` has `arity` values.
  std::function<void(mpfr_t result, const mpfr_t* args)> reference;
};

const std::vector<Function>& functions();

// The formats, as far as they matter here.
struct Format {
  int precision;     // bits of a significand
  int min_exponent;  // of the smallest subnormal number
  double greatest;
};
inline constexpr Format kF32 = {24, -149, 0x1.fffffep127};
inline constexpr Format kF64 = {53, -1074, 0x1.fffffffffffffp1023};

// The distance of `got` from the exact result, in units in the last place of that. Infinite where a
// special value or the sign of a zero is wrong.
double ulps(const Function& function, const Format& format, const double* args, double got);

// The nearest number of the format to the exact result, for messages.
double nearest(const Function& function, const Format& format, const double* args);

// Arguments, `arity` after each other: special values and their combinations, then random ones.
std::vector<double> arguments(const Function& function, const Format& format, size_t count,
                              unsigned seed);

}  // namespace halo::math_test
