// Shortest digits that read back, by std::to_chars; reading is exact, by std::from_chars.
#include "lang/core/text/scalar_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace halo::core {
namespace {

using prim::Scalar;
using prim::ScalarType;

std::string floatText(Scalar s) {
  std::string type(prim::name(s.type));
  double value = s.asDouble();
  if (value != value) return type + ".nan";
  if (value - value != 0) return type + (value > 0 ? ".inf" : ".ninf");
  char digits[64];
  // f16 and f64 print as doubles: exact, or the shortest that reads back.
  auto end = s.type == ScalarType::kF32 ? std::to_chars(digits, digits + 64, s.asF32())
                                        : std::to_chars(digits, digits + 64, value);
  return std::string(digits, end.ptr) + type;
}

template <typename Number>
std::optional<Number> readAll(std::string_view digits) {
  Number number{};
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

// The scalar, unless cutting it to its type changed it.
template <typename Number>
std::optional<Scalar> ifFits(ScalarType type, std::optional<Number> number) {
  if (!number) return std::nullopt;
  Scalar scalar = Scalar::ofUnsigned(type, static_cast<uint64_t>(*number));
  bool same = prim::isSigned(type) ? scalar.asSigned() == static_cast<int64_t>(*number)
                                   : scalar.bits == static_cast<uint64_t>(*number);
  return same ? std::optional(scalar) : std::nullopt;
}

}  // namespace

std::string scalarText(Scalar s) {
  if (s.type == ScalarType::kBool) return s.asBool() ? "true" : "false";
  if (prim::isFloat(s.type)) return floatText(s);
  if (prim::isSigned(s.type)) return fmt::format("{}{}", s.asSigned(), prim::name(s.type));
  return fmt::format("{}{}", s.asUnsigned(), prim::name(s.type));
}

std::optional<Scalar> readNumber(std::string_view text) {
  // The type starts at the first letter but that of the exponent.
  size_t split = std::min(text.find_first_of("iuf"), text.size());
  std::string_view digits = text.substr(0, split);
  auto type = split == text.size() ? std::optional(ScalarType::kI64)
                                   : prim::scalarTypeFromName(text.substr(split));
  if (!type || *type == ScalarType::kBool) return std::nullopt;
  if (*type == ScalarType::kF32) {
    auto number = readAll<float>(digits);
    return number ? std::optional(Scalar::ofF32(*number)) : std::nullopt;
  }
  if (prim::isFloat(*type)) {
    auto number = readAll<double>(digits);
    return number ? std::optional(Scalar::ofFloat(*type, *number)) : std::nullopt;
  }
  if (prim::isSigned(*type)) return ifFits(*type, readAll<int64_t>(digits));
  return ifFits(*type, readAll<uint64_t>(digits));
}

std::optional<Scalar> readWord(std::string_view text) {
  if (text == "true" || text == "false") return Scalar::ofBool(text == "true");
  size_t dot = std::min(text.find('.'), text.size());
  auto type = prim::scalarTypeFromName(text.substr(0, dot));
  if (!type || !prim::isFloat(*type)) return std::nullopt;
  std::string_view rest = text.substr(dot);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (rest == ".nan") return Scalar::ofFloat(*type, std::numeric_limits<double>::quiet_NaN());
  if (rest == ".inf") return Scalar::ofFloat(*type, kInfinity);
  if (rest == ".ninf") return Scalar::ofFloat(*type, -kInfinity);
  return std::nullopt;
}

}  // namespace halo::core
