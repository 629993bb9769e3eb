// The table of functions, and arguments that show where implementations are weak.
#include "tests/math/reference.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace halo::math_test {

namespace {

constexpr mpfr_prec_t kPrecision = 160;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
using Ternary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

Function unary(std::string name, double from, double to, Unary f) {
  return {std::move(name), 1, 1, 2, from, to, [f](mpfr_t result, const mpfr_t* args) {
            f(result, args[0], MPFR_RNDN);
          }};
}

Function binary(std::string name, double from, double to, Binary f) {
  return {std::move(name), 2, 1, 2, from, to, [f](mpfr_t result, const mpfr_t* args) {
            f(result, args[0], args[1], MPFR_RNDN);
          }};
}

Function ternary(std::string name, double from, double to, Ternary f) {
  return {std::move(name), 3, 0.5, 0.5, from, to, [f](mpfr_t result, const mpfr_t* args) {
            f(result, args[0], args[1], args[2], MPFR_RNDN);
          }};
}

Function with(Function function, double bound_f32, double bound_f64) {
  function.bound_f32 = bound_f32;
  function.bound_f64 = bound_f64;
  return function;
}

int lgamma(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  int sign = 0;
  return mpfr_lgamma(result, &sign, x, rounding);
}

// In multiples of a half turn: MPFR's functions of 2 units per turn.
template <int (*f)(mpfr_ptr, mpfr_srcptr, unsigned long, mpfr_rnd_t)>
int inHalfTurns(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  return f(result, x, 2, rounding);
}

int atan2pi(mpfr_ptr result, mpfr_srcptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  return mpfr_atan2u(result, y, x, 2, rounding);
}

int copysign(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rounding) {
  return mpfr_copysign(result, x, y, rounding);
}

int recip(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  return mpfr_ui_div(result, 1, x, rounding);
}

// 1 / sqrt (-0) is -infinity in IEEE 754 and in `1 / sqrt x`.
int rsqrt(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  if (mpfr_zero_p(x)) {
    mpfr_set_inf(result, mpfr_signbit(x) ? -1 : 1);
    return 0;
  }
  return mpfr_rec_sqrt(result, x, rounding);
}

std::vector<Function> makeFunctions() {
  return {
      unary("exp", -110, 100, mpfr_exp),
      unary("log", 0, 4, mpfr_log),
      unary("log2", 0, 4, mpfr_log2),
      unary("log10", 0, 4, mpfr_log10),
      unary("log1p", -1, 3, mpfr_log1p),
      unary("sin", -100, 100, mpfr_sin),
      unary("cos", -100, 100, mpfr_cos),
      unary("tan", -100, 100, mpfr_tan),
      unary("asin", -1, 1, mpfr_asin),
      unary("acos", -1, 1, mpfr_acos),
      unary("atan", -4, 4, mpfr_atan),
      unary("sinpi", -3, 3, mpfr_sinpi),
      unary("cospi", -3, 3, mpfr_cospi),
      unary("tanpi", -3, 3, mpfr_tanpi),
      unary("asinpi", -1, 1, mpfr_asinpi),
      unary("acospi", -1, 1, mpfr_acospi),
      unary("atanpi", -4, 4, mpfr_atanpi),
      unary("sinh", -4, 4, mpfr_sinh),
      unary("cosh", -4, 4, mpfr_cosh),
      unary("tanh", -4, 4, mpfr_tanh),
      unary("asinh", -4, 4, mpfr_asinh),
      unary("acosh", 1, 5, mpfr_acosh),
      unary("atanh", -1, 1, mpfr_atanh),
      unary("cbrt", -10, 10, mpfr_cbrt),
      unary("recip", -4, 4, recip),
      unary("rsqrt", 0, 4, rsqrt),
      with(unary("erf", -5, 5, mpfr_erf), 4, 4),
      with(unary("erfc", -5, 11, mpfr_erfc), 4, 4),
      with(unary("gamma", -20, 40, mpfr_gamma), 4, 4),
      with(unary("lgamma", 0, 20, lgamma), 4, 4),
      binary("atan2", -4, 4, mpfr_atan2),
      binary("atan2pi", -4, 4, atan2pi),
      binary("hypot", -4, 4, mpfr_hypot),
      binary("**", 0, 20, mpfr_pow),
      ternary("fma", -4, 4, mpfr_fma),
      with(binary("copysign", -4, 4, copysign), 0, 0),
  };
}

// The exact result to 160 bits.
class Exact {
 public:
  Exact(const Function& function, const double* args) {
    mpfr_init2(value_, kPrecision);
    mpfr_t inputs[3];
    for (int i = 0; i < function.arity; ++i) {
      mpfr_init2(inputs[i], 53);
      mpfr_set_d(inputs[i], args[i], MPFR_RNDN);
    }
    function.reference(value_, inputs);
    for (int i = 0; i < function.arity; ++i) mpfr_clear(inputs[i]);
  }
  ~Exact() { mpfr_clear(value_); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;

  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

int unitExponent(mpfr_srcptr exact, const Format& format) {
  return std::max<int>(static_cast<int>(mpfr_get_exp(exact)) - format.precision,
                       format.min_exponent);
}

double fromRandomBits(std::mt19937_64& random, const Format& format) {
  if (format.precision == 24) {
    return std::bit_cast<float>(static_cast<uint32_t>(random()));
  }
  return std::bit_cast<double>(random());
}

double rounded(double x, const Format& format) {
  return format.precision == 24 ? static_cast<double>(static_cast<float>(x)) : x;
}

std::vector<double> specialValues(const Format& format) {
  const double least = std::ldexp(1, format.min_exponent);
  const double normal = std::ldexp(1, format.min_exponent + format.precision - 1);
  std::vector<double> values = {0,      kInfinity,      std::nan(""), format.greatest, least,
                                normal, normal - least, M_PI,         M_PI_2,          M_PI_4,
                                M_E,    M_LN2,          0.1,          1e-10,           1e10};
  for (double x : {0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 10.0, 16.0, 33.0, 100.0, 171.0,
                   1e6, 8388607.5, 8388609.0, 4503599627370497.5}) {
    x = rounded(x, format);
    const double unit = std::ldexp(1, std::ilogb(x) + 1 - format.precision);
    values.insert(values.end(), {x, x + unit, x - unit / 2});
  }
  const size_t positive = values.size();
  for (size_t i = 0; i < positive; ++i) {
    values[i] = rounded(values[i], format);
    values.push_back(-values[i]);
  }
  return values;
}

}  // namespace

const std::vector<Function>& functions() {
  static const std::vector<Function> kFunctions = makeFunctions();
  return kFunctions;
}

double ulps(const Function& function, const Format& format, const double* args, double got) {
  Exact exact(function, args);
  mpfr_srcptr want = exact.get();
  if (mpfr_nan_p(want) || std::isnan(got)) {
    return mpfr_nan_p(want) && std::isnan(got) ? 0 : kInfinity;
  }
  if (mpfr_zero_p(want)) {
    return got == 0 && std::signbit(got) == (mpfr_signbit(want) != 0) ? 0 : kInfinity;
  }
  if (mpfr_inf_p(want)) return std::isinf(got) && (got > 0) == (mpfr_sgn(want) > 0) ? 0 : kInfinity;
  if (std::signbit(got) != (mpfr_signbit(want) != 0)) return kInfinity;
  int unit = unitExponent(want, format);
  // Between its poles the function has zeros at irrational places, where it is precise on the scale
  // of 1 only.
  if (function.name == "lgamma" && args[0] < 0) unit = std::max(unit, 1 - format.precision);
  mpfr_t distance;
  mpfr_init2(distance, kPrecision);
  // An infinity stands for the number that would come after the greatest, and all beyond it.
  const int last = format.precision == 24 ? 129 : 1025;
  if (std::isinf(got) && mpfr_get_exp(want) >= last) {
    mpfr_set_zero(distance, 1);
  } else if (std::isinf(got)) {
    mpfr_set_si_2exp(distance, got > 0 ? 1 : -1, last - 1, MPFR_RNDN);
    mpfr_sub(distance, distance, want, MPFR_RNDN);
  } else {
    mpfr_d_sub(distance, got, want, MPFR_RNDN);
  }
  mpfr_mul_2si(distance, distance, -unit, MPFR_RNDN);
  const double result = std::fabs(mpfr_get_d(distance, MPFR_RNDN));
  mpfr_clear(distance);
  return result;
}

double nearest(const Function& function, const Format& format, const double* args) {
  Exact exact(function, args);
  return format.precision == 24 ? mpfr_get_flt(exact.get(), MPFR_RNDN)
                                : mpfr_get_d(exact.get(), MPFR_RNDN);
}

std::vector<double> arguments(const Function& function, const Format& format, size_t count,
                              unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> args;
  const std::vector<double> special = specialValues(format);
  for (double x : special) {
    if (function.arity == 1) args.push_back(x);
    for (double y : special) {
      if (function.arity == 1) break;
      args.push_back(x);
      args.push_back(y);
      if (function.arity == 3) args.push_back(special[random() % special.size()]);
    }
  }
  std::uniform_real_distribution<double> near(function.from, function.to);
  std::uniform_real_distribution<double> tiny(-1, 1);
  for (size_t i = 0; i < count; ++i) {
    const bool all_exponents = i % 4 == 0;
    // A third number that all but cancels the product of the first two.
    const bool cancels = function.arity == 3 && i % 2 == 1;
    for (int k = 0; k < function.arity; ++k) {
      if (cancels && k == 2) {
        const double product = args[args.size() - 2] * args[args.size() - 1];
        args.push_back(rounded(-product * (1 + std::ldexp(tiny(random), -40)), format));
        continue;
      }
      double x = all_exponents ? fromRandomBits(random, format) : near(random);
      if (i % 8 == 1) x = std::ldexp(tiny(random), -static_cast<int>(random() % 30));
      if (i % 8 == 2) x = 1 + std::ldexp(tiny(random), -static_cast<int>(random() % 30));
      if (i % 8 == 3) x = std::ldexp(tiny(random), static_cast<int>(random() % 12));
      args.push_back(rounded(x, format));
    }
  }
  return args;
}

}  // namespace halo::math_test
