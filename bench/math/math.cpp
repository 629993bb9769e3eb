// The elementary functions of libm on 2^16 numbers, one call each, as math.fut has
// them. The numbers are uniform in the range of the table.
#include <cmath>
#include <string>
#include <vector>

#include "../measure.h"

namespace {

constexpr std::size_t kCount = std::size_t{1} << 16;

template <typename Float, typename Function>
void run(const char* type, const char* name, double from, double to, Function function) {
  const measure::Floats random = measure::floats(2 * kCount);
  measure::fill(random.get(), 2 * kCount, static_cast<float>(from), static_cast<float>(to));
  const std::vector<Float> xs(random.get(), random.get() + kCount);
  const std::vector<Float> ys(random.get() + kCount, random.get() + 2 * kCount);
  std::vector<Float> results(kCount);
  const double ms = measure::bestMilliseconds(10, [&] {
    for (std::size_t i = 0; i < kCount; ++i) results[i] = function(xs[i], ys[i]);
    asm volatile("" : : "r"(results.data()) : "memory");
  });
  const std::string title = std::string("math_cpp_") + type + "_" + name;
  measure::report(title.c_str(), ms, "gcall_per_s", static_cast<double>(kCount),
                  static_cast<double>(results[0]));
}

template <typename Float>
void runAll(const char* type) {
  run<Float>(type, "exp", -10, 10, [](Float x, Float) { return std::exp(x); });
  run<Float>(type, "log", 0.01, 10, [](Float x, Float) { return std::log(x); });
  run<Float>(type, "log2", 0.01, 10, [](Float x, Float) { return std::log2(x); });
  run<Float>(type, "log10", 0.01, 10, [](Float x, Float) { return std::log10(x); });
  run<Float>(type, "log1p", 0.01, 10, [](Float x, Float) { return std::log1p(x); });
  run<Float>(type, "sin", -10, 10, [](Float x, Float) { return std::sin(x); });
  run<Float>(type, "cos", -10, 10, [](Float x, Float) { return std::cos(x); });
  run<Float>(type, "tan", -10, 10, [](Float x, Float) { return std::tan(x); });
  run<Float>(type, "asin", -1, 1, [](Float x, Float) { return std::asin(x); });
  run<Float>(type, "acos", -1, 1, [](Float x, Float) { return std::acos(x); });
  run<Float>(type, "atan", -10, 10, [](Float x, Float) { return std::atan(x); });
  run<Float>(type, "sinh", -5, 5, [](Float x, Float) { return std::sinh(x); });
  run<Float>(type, "cosh", -5, 5, [](Float x, Float) { return std::cosh(x); });
  run<Float>(type, "tanh", -5, 5, [](Float x, Float) { return std::tanh(x); });
  run<Float>(type, "asinh", -10, 10, [](Float x, Float) { return std::asinh(x); });
  run<Float>(type, "acosh", 1, 10, [](Float x, Float) { return std::acosh(x); });
  run<Float>(type, "atanh", -0.99, 0.99, [](Float x, Float) { return std::atanh(x); });
  run<Float>(type, "cbrt", -10, 10, [](Float x, Float) { return std::cbrt(x); });
  run<Float>(type, "erf", -3, 3, [](Float x, Float) { return std::erf(x); });
  run<Float>(type, "erfc", -3, 3, [](Float x, Float) { return std::erfc(x); });
  run<Float>(type, "gamma", 0.5, 10, [](Float x, Float) { return std::tgamma(x); });
  run<Float>(type, "lgamma", 0.5, 10, [](Float x, Float) { return std::lgamma(x); });
  run<Float>(type, "pow", 0.1, 10, [](Float x, Float y) { return std::pow(x, y); });
  run<Float>(type, "atan2", -5, 5, [](Float x, Float y) { return std::atan2(x, y); });
  run<Float>(type, "hypot", -5, 5, [](Float x, Float y) { return std::hypot(x, y); });
}

}  // namespace

int main() {
  runAll<float>("f32");
  runAll<double>("f64");
}
