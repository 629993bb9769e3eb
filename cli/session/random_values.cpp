// Integers over their whole range, floats in [0, 1), from a fixed seed (splitmix64).
#include "cli/session/random_values.h"

#include <sstream>

#include "lang/prim/fold.h"
#include "lang/value/format.h"

namespace halo::session {
namespace {

class Generator {
 public:
  uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  value::Scalar scalar(prim::ScalarType type) {
    if (prim::isFloat(type)) {
      double unit = static_cast<double>(bits() >> 40) * 0x1p-24;
      return prim::convert(prim::ConvertKind::kValue, type, value::Scalar::ofF64(unit));
    }
    if (type == prim::ScalarType::kBool) return value::Scalar::ofBool((bits() & 1) != 0);
    return value::Scalar::ofUnsigned(type, bits());
  }

 private:
  uint64_t state_ = 0;
};

// `[3][4]f32`: the sizes and the scalar type, or nothing if the word is no such type.
struct RandomType {
  std::vector<int64_t> shape;
  prim::ScalarType scalar;
};
std::optional<RandomType> parseType(const std::string& word) {
  RandomType type;
  size_t at = 0;
  while (at < word.size() && word[at] == '[') {
    size_t close = word.find(']', at);
    if (close == std::string::npos || close == at + 1 || close - at > 18) return std::nullopt;
    int64_t extent = 0;
    for (size_t i = at + 1; i < close; i++) {
      if (word[i] < '0' || word[i] > '9') {
        // `[3i64]` is accepted as well
        if (word.substr(i, close - i) == "i64" && i > at + 1) break;
        return std::nullopt;
      }
      extent = extent * 10 + (word[i] - '0');
    }
    type.shape.push_back(extent);
    at = close + 1;
  }
  auto scalar = prim::scalarTypeFromName(word.substr(at));
  if (!scalar) return std::nullopt;
  type.scalar = *scalar;
  return type;
}

}  // namespace

diag::Result<std::vector<value::Value>> randomValues(Session& session, const std::string& text) {
  Generator generator;
  std::vector<value::Value> values;
  std::istringstream words(text);
  std::string word;
  while (words >> word) {
    auto type = parseType(word);
    if (!type) {
      auto literal = value::parseValues(session.files(), session.files().add("random input", word));
      if (!literal) return diag::Failure(literal.error());
      for (value::Value& value : *literal) values.push_back(std::move(value));
    } else if (type->shape.empty()) {
      values.push_back(generator.scalar(type->scalar));
    } else {
      auto array = value::makeArray(type->scalar, type->shape);
      if (!array) return diag::Failure(array.error());
      for (int64_t i = 0; i < array->elements(); i++) {
        value::setAt(*array, i, generator.scalar(type->scalar));
      }
      values.push_back(std::move(*array));
    }
  }
  return values;
}

}  // namespace halo::session
