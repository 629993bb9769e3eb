// Every function of `f32` and `f64` against MPFR, on the cpu engine: special values, all exponents,
// and where the function is difficult. tests/math/README.md has the errors found.
//
// HALO_MATH_POINTS: random points per function, 20000 if not set. The worst errors are printed when
// it is.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "cli/session/session.h"
#include "tests/math/reference.h"

namespace halo::math_test {

namespace {

bool isF32(const Format& format) { return format.precision == 24; }

size_t points() {
  const char* wanted = std::getenv("HALO_MATH_POINTS");
  return wanted != nullptr ? std::strtoul(wanted, nullptr, 10) : 20000;
}

// One entry per function: `entry test3 [n] (a0: [n]f32) (a1: [n]f32): [n]f32 = map2 (f32.atan2) a0
// a1`.
std::string programText(const std::string& type) {
  std::string text;
  for (size_t i = 0; i < functions().size(); ++i) {
    const Function& function = functions()[i];
    std::string parameters;
    std::string arguments;
    for (int k = 0; k < function.arity; ++k) {
      parameters += " (a" + std::to_string(k) + ": [n]" + type + ")";
      arguments += " a" + std::to_string(k);
    }
    text += "entry test" + std::to_string(i) + " [n]" + parameters + ": [n]" + type + " = map" +
            std::to_string(function.arity) + " (" + type + "." + function.name + ")" + arguments +
            "\n";
  }
  return text;
}

// The arguments of one parameter as an array of the format.
value::Array column(const std::vector<double>& args, int arity, int k, const Format& format) {
  const auto size = static_cast<int64_t>(args.size()) / arity;
  const auto type = isF32(format) ? prim::ScalarType::kF32 : prim::ScalarType::kF64;
  value::Array array = value::makeArray(type, {size}).value();
  for (int64_t i = 0; i < size; ++i) {
    const double x = args[static_cast<size_t>(i * arity + k)];
    const auto narrow = static_cast<float>(x);
    if (isF32(format)) std::memcpy(array.data() + i * 4, &narrow, 4);
    if (!isF32(format)) std::memcpy(array.data() + i * 8, &x, 8);
  }
  return array;
}

double element(const value::Array& array, size_t i, const Format& format) {
  float narrow = 0;
  double wide = 0;
  if (isF32(format)) std::memcpy(&narrow, array.data() + i * 4, 4);
  if (!isF32(format)) std::memcpy(&wide, array.data() + i * 8, 8);
  return isF32(format) ? narrow : wide;
}

// Compares all results; the worst error is checked and said once.
void compare(const Function& function, const Format& format, const std::vector<double>& args,
             const value::Array& results) {
  const auto arity = static_cast<size_t>(function.arity);
  double worst = 0;
  size_t where = 0;
  for (size_t i = 0; i < args.size() / arity; ++i) {
    const double error = ulps(function, format, &args[i * arity], element(results, i, format));
    if (error > worst) worst = error, where = i;
  }
  const std::string name = (isF32(format) ? "f32." : "f64.") + function.name;
  if (std::getenv("HALO_MATH_POINTS") != nullptr) std::printf("%-12s %.3f\n", name.c_str(), worst);
  const double* at = &args[where * arity];
  CAPTURE(name);
  CAPTURE(at[0]);
  if (arity > 1) CAPTURE(at[1]);
  CAPTURE(element(results, where, format));
  CAPTURE(nearest(function, format, at));
  CHECK(worst <= (isF32(format) ? function.bound_f32 : function.bound_f64));
}

void checkAll(const Format& format) {
  const std::string type = isF32(format) ? "f32" : "f64";
  const auto path = std::filesystem::temp_directory_path() /
                    ("halo_math_" + type + std::to_string(std::random_device()()) + ".fut");
  std::ofstream(path) << programText(type);
  session::Session session({});
  diag::Sink sink;
  const auto loaded = session.load(path.string(), sink);
  std::filesystem::remove(path);
  INFO(diag::render(sink, session.files()));
  REQUIRE(loaded);
  for (size_t i = 0; i < functions().size(); ++i) {
    const Function& function = functions()[i];
    const auto entry = session.findEntry(*loaded, "test" + std::to_string(i));
    REQUIRE(entry);
    const auto prepared = session.prepare(session::Backend::kCpu, *loaded, *entry);
    REQUIRE(prepared);
    const std::vector<double> args = arguments(function, format, points(), 1);
    std::vector<value::Value> columns;
    for (int k = 0; k < function.arity; ++k) {
      columns.push_back(column(args, function.arity, k, format));
    }
    const auto results = (*prepared)->call(columns, {});
    REQUIRE(results);
    compare(function, format, args, value::toHost(*(*results)[0].array()).value());
  }
}

}  // namespace

TEST_CASE("the functions of f32 are precise") { checkAll(kF32); }

TEST_CASE("the functions of f64 are precise") { checkAll(kF64); }

}  // namespace halo::math_test
