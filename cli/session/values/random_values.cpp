#include "cli/session/values/random_values.h"

#include <array>
#include <cctype>
#include <limits>

#include "lang/prim/fold.h"
#include "lang/value/format.h"

namespace halo::session {

uint64_t RandomBits::bits() {
  state_ += 0x9e3779b97f4a7c15u;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

value::Scalar RandomBits::scalar(prim::ScalarType type) {
  if (prim::isFloat(type)) {
    double unit = static_cast<double>(bits() >> 40) * 0x1p-24;
    return prim::convert(prim::ConvertKind::kValue, type, value::Scalar::ofF64(unit));
  }
  if (type == prim::ScalarType::kBool) return value::Scalar::ofBool((bits() & 1) != 0);
  return value::Scalar::ofUnsigned(type, bits());
}

diag::Result<value::Value> RandomBits::array(prim::ScalarType type, std::vector<int64_t> shape) {
  if (shape.empty()) return value::Value(scalar(type));
  auto array = value::makeArray(type, std::move(shape));
  if (!array) return diag::Failure(array.error());
  for (int64_t i = 0; i < array->elements(); ++i) value::setAt(*array, i, scalar(type));
  return value::Value(std::move(*array));
}

value::Scalar RandomBits::edgeScalar(prim::ScalarType type) {
  const uint64_t choice = bits() % 3, which = bits();
  if (type == prim::ScalarType::kBool || choice == 0) return scalar(type);
  if (choice == 1) {  // -3 .. 12, floats in quarters
    constexpr uint64_t kSmall = 16, kQuarters = 64;
    if (!prim::isFloat(type)) {
      const auto number = static_cast<int64_t>(which % kSmall) - 3;
      return value::Scalar::ofUnsigned(
          type, static_cast<uint64_t>(prim::isUnsigned(type) ? std::abs(number) : number));
    }
    return value::Scalar::ofFloat(type, static_cast<double>(which % kQuarters) / 4 - 3);
  }
  if (prim::isFloat(type)) {
    using Limits = std::numeric_limits<double>;
    const bool is_double = type == prim::ScalarType::kF64;
    const double least = is_double ? Limits::denorm_min() : 0x1p-149;
    const double most = is_double ? Limits::max() : 0x1.fffffep127;
    const std::array<double, 10> ends = {0.0,   -0.0, Limits::infinity(),  -Limits::infinity(),
                                         least, most, Limits::quiet_NaN(), -1.0,
                                         0.1,   -most};
    return prim::convert(prim::ConvertKind::kValue, type,
                         value::Scalar::ofF64(ends[which % ends.size()]));
  }
  const int width = 8 * prim::byteSize(type);
  const uint64_t top = uint64_t{1} << (width - 1);
  const std::array<uint64_t, 6> ends = {top, top - 1, ~uint64_t{0}, top + 1, 0, top >> 1};
  return value::Scalar::ofUnsigned(type, ends[which % ends.size()]);
}

diag::Result<value::Value> RandomBits::edgeArray(prim::ScalarType type,
                                                 std::vector<int64_t> shape) {
  if (shape.empty()) return value::Value(edgeScalar(type));
  auto array = value::makeArray(type, std::move(shape));
  if (!array) return diag::Failure(array.error());
  for (int64_t i = 0; i < array->elements(); ++i) value::setAt(*array, i, edgeScalar(type));
  return value::Value(std::move(*array));
}

namespace {

struct RandomType {
  std::vector<int64_t> shape;
  prim::ScalarType scalar;
};

void skipSpace(const std::string& text, size_t* at) {
  while (*at < text.size() && isspace(static_cast<unsigned char>(text[*at])) != 0) ++*at;
}

std::string wordAt(const std::string& text, size_t at) {
  size_t end = at;
  const auto isPart = [](char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  while (end < text.size() && isPart(text[end])) ++end;
  return text.substr(at, end - at);
}

// `[3][4]f32`, also with spaces between: the type, and *at moved behind it; or nothing. Sizes may
// have a suffix, and `_` behind their first digit.
std::optional<RandomType> readType(const std::string& text, size_t* at) {
  RandomType type;
  size_t here = *at;
  while (here < text.size() && text[here] == '[') {
    ++here;
    skipSpace(text, &here);
    std::string digits = wordAt(text, here);
    here += digits.size();
    skipSpace(text, &here);
    if (!digits.starts_with('_')) std::erase(digits, '_');
    const size_t length = std::min(digits.find_first_not_of("0123456789"), digits.size());
    if (length == 0 || length > 18 || here >= text.size() || text[here] != ']') return std::nullopt;
    if (length < digits.size() && digits.substr(length) != "i64") return std::nullopt;
    type.shape.push_back(std::stoll(digits.substr(0, length)));
    ++here;
    skipSpace(text, &here);
  }
  const std::string word = wordAt(text, here);
  const auto scalar = prim::scalarTypeFromName(word);
  if (!scalar) return std::nullopt;
  type.scalar = *scalar;
  *at = here + word.size();
  return type;
}

// With the type that a word near the mistake may have meant: `[3]i3`.
diag::Diagnostic withType(diag::Diagnostic failure, const std::string& text) {
  std::vector<std::string> types;
  for (prim::ScalarType type : prim::kAllScalarTypes) types.emplace_back(prim::name(type));
  if (auto near = diag::didYouMean(wordAt(text, failure.span.begin), types)) {
    failure.notes.push_back("help: did you mean the type `" + *near + "`?");
  }
  return failure;
}

}  // namespace

diag::Result<std::vector<value::Value>> randomValues(Session& session, const std::string& text,
                                                     uint64_t seed) {
  RandomBits generator(seed);
  std::vector<value::Value> values;
  source::FileId file = session.files().add("random input", text);
  for (size_t at = 0; skipSpace(text, &at), at < text.size();) {
    if (const auto type = readType(text, &at)) {
      auto value = generator.array(type->scalar, type->shape);
      if (!value) return diag::Failure(value.error());
      values.push_back(std::move(*value));
      continue;
    }
    auto offset = static_cast<uint32_t>(at);
    auto literal = value::parseValue(session.files(), file, &offset);
    if (!literal) return diag::Failure(withType(literal.error(), text));
    if (!literal->has_value()) break;
    values.push_back(std::move(**literal));
    at = offset;
  }
  return values;
}

}  // namespace halo::session
