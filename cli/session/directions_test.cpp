// Values as vectors of floats.
#include "cli/session/directions.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace halo::session {

namespace {

value::Value f32s(const std::vector<double>& elements) {
  value::Array array =
      *value::makeArray(prim::ScalarType::kF32, {static_cast<int64_t>(elements.size())});
  for (size_t i = 0; i < elements.size(); ++i) {
    value::setAt(array, static_cast<int64_t>(i),
                 prim::Scalar::ofFloat(prim::ScalarType::kF32, elements[i]));
  }
  return array;
}

}  // namespace

TEST_CASE("a spread of roundings bounds each element by itself") {
  const value::Value nearest = f32s({1, 1000}), up = f32s({1, 1001}), down = f32s({1, 999.5});
  CHECK(isWithinSpread(nearest, f32s({1, 1003}), {up, down}, 0));
  CHECK(isWithinSpread(nearest, f32s({1, 997}), {up, down}, 0));
  CHECK_FALSE(isWithinSpread(nearest, f32s({1, 1100}), {up, down}, 0));
  CHECK_FALSE(isWithinSpread(nearest, f32s({1.001, 1000}), {up, down}, 0));
}

TEST_CASE("a spread of roundings leaves some ulps of the largest result to terms that cancel") {
  const value::Value zero = f32s({0});
  const double largest = largestFinite({zero, f32s({1, -1000})});
  CHECK(isWithinSpread(zero, f32s({0.0003}), {zero}, largest));
  CHECK_FALSE(isWithinSpread(zero, f32s({0.001}), {zero}, largest));
}

TEST_CASE("a spread of roundings is no bound for infinities, NaN and other shapes") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const value::Value nearest = f32s({1});
  CHECK_FALSE(isWithinSpread(nearest, f32s({2}), {f32s({kInfinity})}, 0));
  CHECK_FALSE(isWithinSpread(nearest, f32s({std::nan("")}), {f32s({1.5})}, 0));
  CHECK_FALSE(isWithinSpread(nearest, f32s({1, 1}), {f32s({1.5})}, 0));
  CHECK_FALSE(isWithinSpread(nearest, f32s({1.1}), {f32s({1.5, 1})}, 0));
}

}  // namespace halo::session
