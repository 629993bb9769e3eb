#include "cli/session/random_values.h"

#include <cctype>

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
  for (int64_t i = 0; i < array->elements(); i++) value::setAt(*array, i, scalar(type));
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
  while (end < text.size() && isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
  return text.substr(at, end - at);
}

// `[3][4]f32`, also with spaces between: the type, and *at moved behind it; or nothing. Sizes may
// have a suffix.
std::optional<RandomType> readType(const std::string& text, size_t* at) {
  RandomType type;
  size_t here = *at;
  while (here < text.size() && text[here] == '[') {
    ++here;
    skipSpace(text, &here);
    const std::string digits = wordAt(text, here);
    here += digits.size();
    skipSpace(text, &here);
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
    if (!literal) return diag::Failure(literal.error());
    if (!literal->has_value()) break;
    values.push_back(std::move(**literal));
    at = offset;
  }
  return values;
}

}  // namespace halo::session
