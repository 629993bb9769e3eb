// Where two values first differ. Types and shapes must be identical; elements are compared exactly
// (NaNs being alike), within one tolerance per array as in Futhark, or relative to each element.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "lang/base/check.h"
#include "lang/value/format.h"

namespace halo::value {

namespace {

using Answer = std::optional<std::string>;

constexpr double kFutharkTolerance = 0.002;

// Representable numbers between two floats of one type, both finite or infinite.
uint64_t ulpDistance(const Scalar& a, const Scalar& b) {
  const uint64_t sign = uint64_t{1} << (prim::bitWidth(a.type) - 1);
  const bool same_side = (a.bits & sign) == (b.bits & sign);
  const uint64_t x = a.bits & ~sign, y = b.bits & ~sign;
  return same_side ? std::max(x, y) - std::min(x, y) : x + y;
}

std::string describe(const std::string& place, const Scalar& want, const Scalar& got) {
  std::string text = fmt::format("{}: expected {}, got {}", place, toText(want), toText(got));
  if (!prim::isFloat(want.type)) return text;
  const int digits = prim::bitWidth(want.type) / 4;
  text += fmt::format(" (0x{:0{}x}, 0x{:0{}x}", want.bits, digits, got.bits, digits);
  if (!std::isnan(want.asDouble()) && !std::isnan(got.asDouble())) {
    text += fmt::format(", {} ulp", ulpDistance(want, got));
  }
  return text + ")";
}

// The allowed difference of one element.
class Margin {
 public:
  // `largest`: the largest magnitude of a finite expected element of the array.
  Margin(const Tolerance& tolerance, double largest)
      : tolerance_(tolerance),
        absolute_(std::max(kFutharkTolerance, kFutharkTolerance * largest)) {}

  bool allows(const Scalar& want, const Scalar& got) const {
    if (want == got) return true;
    if (!prim::isFloat(want.type) || tolerance_.kind == Tolerance::Kind::kExact) return false;
    const double x = want.asDouble(), y = got.asDouble();
    if (!std::isfinite(x) || !std::isfinite(y)) return false;
    const bool is_relative = tolerance_.kind == Tolerance::Kind::kRelative;
    return std::fabs(y - x) <= (is_relative ? tolerance_.relative * std::fabs(x) : absolute_);
  }

 private:
  const Tolerance& tolerance_;
  double absolute_;
};

Scalar elementAt(const Array& dense, int64_t i) {
  const auto size = static_cast<size_t>(prim::byteSize(dense.type()));
  uint64_t bits = 0;
  std::memcpy(&bits, dense.data() + static_cast<size_t>(i) * size, size);
  return Scalar::fromBits(dense.type(), bits);
}

// Of magnitudes: Futhark takes the largest element, and allows negative numbers less than positive
// ones.
double largestFinite(const Array& dense) {
  double largest = 0;
  if (!prim::isFloat(dense.type())) return largest;
  for (int64_t i = 0; i < dense.elements(); ++i) {
    const double magnitude = std::fabs(elementAt(dense, i).asDouble());
    if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
  }
  return largest;
}

std::string indexed(const std::string& place, const std::vector<int64_t>& shape, int64_t linear) {
  std::string indices;
  for (size_t axis = shape.size(); axis-- > 0;) {
    indices = fmt::format("[{}]", linear % shape[axis]) + indices;
    linear /= shape[axis];
  }
  return place + indices;
}

Answer arrayDifference(const std::string& place, const Array& want_view, const Array& got_view,
                       const Tolerance& tolerance) {
  const auto want = toDense(want_view);
  const auto got = toDense(got_view);
  if (!want || !got) return place + ": " + (want ? got.error() : want.error()).message;
  const int64_t count = want->elements();
  const size_t bytes =
      static_cast<size_t>(count) * static_cast<size_t>(prim::byteSize(want->type()));
  if (bytes == 0 || std::memcmp(want->data(), got->data(), bytes) == 0) return std::nullopt;
  const Margin margin(tolerance,
                      tolerance.kind == Tolerance::Kind::kFuthark ? largestFinite(*want) : 0);
  for (int64_t i = 0; i < count; ++i) {
    const Scalar x = elementAt(*want, i), y = elementAt(*got, i);
    if (!margin.allows(x, y)) return describe(indexed(place, want->shape(), i), x, y);
  }
  return std::nullopt;
}

std::string kindText(const Value& value) {
  if (const Scalar* scalar = value.scalar()) return std::string(prim::name(scalar->type));
  if (const Array* array = value.array()) {
    return shapeText(array->shape()) + std::string(prim::name(array->type()));
  }
  std::string names;
  if (const Sum* sum = value.sum()) {
    for (const std::string& name : sum->form->constructors) {
      names += (names.empty() ? "#" : " | #") + name;
    }
    for (int i = 0; i < sum->rank; ++i) names = "[](" + names + ")";
    return names;
  }
  for (const std::string& name : value.record()->names) names += (names.empty() ? "" : ", ") + name;
  return value.record()->isTuple() ? fmt::format("tuple of {}", value.record()->names.size())
                                   : "{" + names + "}";
}

Answer difference(const std::string& place, const Value& want, const Value& got,
                  const Tolerance& tolerance);

// Slots that a constructor does not use may hold anything, so they are not looked at.
Answer sumDifference(const std::string& place, const Value& want, const Value& got,
                     const Tolerance& tolerance) {
  const Sum& wanted = *want.sum();
  const Sum& found = *got.sum();
  if (wanted.rank > 0) {
    const int64_t count = lengthOf(want);
    if (count != lengthOf(got)) {
      return fmt::format("{}: expected {} elements, got {}", place, count, lengthOf(got));
    }
    for (int64_t i = 0; i < count; ++i) {
      Answer answer = difference(fmt::format("{}[{}]", place, i), elementOf(want, i),
                                 elementOf(got, i), tolerance);
      if (answer) return answer;
    }
    return std::nullopt;
  }
  const size_t constructor = wanted.constructor();
  const std::string& name = wanted.form->constructors[constructor];
  if (constructor != found.constructor()) {
    return fmt::format("{}: expected `#{}`, got `#{}`", place, name,
                       found.form->constructors[found.constructor()]);
  }
  const std::vector<Value> wanted_parts = wanted.payload(), found_parts = found.payload();
  for (size_t i = 0; i < wanted_parts.size(); ++i) {
    Answer answer = difference(fmt::format("{}.#{}.{}", place, name, i), wanted_parts[i],
                               found_parts[i], tolerance);
    if (answer) return answer;
  }
  return std::nullopt;
}

Answer difference(const std::string& place, const Value& want, const Value& got,
                  const Tolerance& tolerance) {
  const std::string wanted = kindText(want), found = kindText(got);
  if (wanted != found) {
    return fmt::format("{}: expected type `{}`, got `{}`", place, wanted, found);
  }
  if (const Scalar* scalar = want.scalar()) {
    const double value = prim::isFloat(scalar->type) ? scalar->asDouble() : 0;
    const Margin margin(tolerance, std::isfinite(value) ? value : 0);
    if (margin.allows(*scalar, *got.scalar())) return std::nullopt;
    return describe(place, *scalar, *got.scalar());
  }
  if (want.array() != nullptr) {
    return arrayDifference(place, *want.array(), *got.array(), tolerance);
  }
  if (want.sum() != nullptr) return sumDifference(place, want, got, tolerance);
  for (size_t i = 0; i < want.record()->fields.size(); ++i) {
    Answer answer = difference(place + "." + want.record()->names[i], want.record()->fields[i],
                               got.record()->fields[i], tolerance);
    if (answer) return answer;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> firstDifference(const Value& want, const Value& got,
                                           const Tolerance& tolerance) {
  return difference("result", want, got, tolerance);
}

}  // namespace halo::value
