// Types, literals, variables, and products of their parts: where expressions end.
#include "cli/fuzz/generator_part.h"

#include <algorithm>
#include <array>

namespace halo::fuzz {

Type GeneratorPart::integerType() {
  static const std::array<const char*, 12> kTypes = {"i64", "i64", "i64", "i64", "i32", "i32",
                                                     "i8",  "i16", "u8",  "u16", "u32", "u64"};
  return scalar(pick(kTypes));
}

Type GeneratorPart::scalarType() {
  // Without f16, whose sums depend on the order.
  if (style_ == Style::kDerivatives) {
    return oneIn(4) ? (oneIn(3) ? scalar("bool") : integerType()) : parameterType();
  }
  static const std::array<const char*, 6> kOther = {"bool", "bool", "f32", "f32", "f64", "f16"};
  return oneIn(3) ? scalar(pick(kOther)) : integerType();
}

Type GeneratorPart::parameterType() {
  static const std::array<const char*, 4> kFloats = {"f64", "f64", "f64", "f32"};
  return style_ == Style::kDerivatives ? scalar(pick(kFloats)) : scalarType();
}

Type GeneratorPart::elementType() {
  switch (below(10)) {
    case 0:
      return tuple({scalarType(), scalarType()});
    case 1:
      return {Type::Kind::kRecord, "", {scalarType(), scalarType()}};
    case 2:
      if (oneIn(3)) {  // payloads that are arrays, and many constructors
        std::vector<Type> payloads = {scalarType()};
        for (uint64_t i = 1 + below(5); i > 0; --i) payloads.push_back(array("3", scalarType()));
        return {Type::Kind::kSum, "", std::move(payloads)};
      }
      return {Type::Kind::kSum, "", {scalarType(), scalarType()}};
    case 3:
      if (oneIn(2)) return tuple({scalarType(), array("3", scalarType())});
      return scalarType();
    default:
      return scalarType();
  }
}

Type GeneratorPart::valueType() {
  switch (below(5)) {
    case 0:
    case 1:
      return array(anySize(), elementType());
    case 2: {
      if (!oneIn(2))
        return oneIn(2) ? tuple({array(anySize(), scalarType()), scalarType()}) : elementType();
      Type plane = array(anySize(), array(anySize(), scalarType()));
      return oneIn(5) ? array("3", std::move(plane)) : plane;
    }
    default:
      return scalarType();
  }
}

Node GeneratorPart::literal(const Type& type) {
  if (type.isBool()) return {type, oneIn(2) ? "true" : "false", {}};
  const auto number = static_cast<int64_t>(below(8));
  if (type.isFloat()) {
    static const std::array<const char*, 4> kFractions = {".0", ".0", ".5", ".25"};
    return {type, std::to_string(number) + pick(kFractions) + type.name, {}};
  }
  const bool is_negative = type.name[0] == 'i' && oneIn(5);
  const std::string digits = std::to_string(number) + type.name;
  return {type, is_negative ? "(-" + digits + ")" : digits, {}};
}

// The ends of a type, and floats that are no numbers; none that a sum in another order tells.
Node GeneratorPart::extreme(const Type& type) {
  if (type.isBool() || style_ == Style::kDerivatives) return literal(type);
  static const std::array<const char*, 5> kEnds = {"T.lowest", "T.highest", "(T.lowest + 1)",
                                                   "(T.highest / 2 + 1)", "(T.highest - 1)"};
  static const std::array<const char*, 4> kFloats = {"T.nan", "T.inf", "(-T.inf)", "(-0T)"};
  const std::string text = type.isFloat() ? pick(kFloats) : pick(kEnds);
  std::string named;
  for (const char c : text) named += c == 'T' ? type.name : std::string{c};
  return {type, named, {}};
}

std::vector<Node> GeneratorPart::variablesOf(const Type& type) const {
  std::vector<Node> found;
  for (const Variable& variable : variables_) {
    if (variable.type == type) found.push_back({type, variable.name, {}});
  }
  return found;
}

Node GeneratorPart::leaf(const Type& type) {
  std::vector<Node> known = variablesOf(type);
  if (!known.empty() && !oneIn(8)) return pick(known);
  if (type.isScalar()) return oneIn(12) ? extreme(type) : literal(type);
  if (type.isArray()) {
    if (type == array("3", scalar("u8")) && oneIn(2)) return {type, "\"halo\"[1:4]", {}};
    if (type.element() == scalar("i64") && oneIn(2)) return {type, "(iota " + type.name + ")", {}};
    return {type, "(replicate " + type.name + " $)", {leaf(type.element())}};
  }
  return product(type, 0);
}

Node GeneratorPart::product(const Type& type, int budget) {
  if (type.kind == Type::Kind::kSum) {
    const size_t i = below(type.parts.size());
    return {
        type, "(" + constructor(i) + " $ : " + text(type) + ")", {expr(type.parts[i], budget - 1)}};
  }
  const bool is_record = type.kind == Type::Kind::kRecord;
  Node node{type, is_record ? "{" : "(", {}};
  for (size_t i = 0; i < type.parts.size(); ++i) {
    if (i > 0) node.text += ", ";
    node.text += is_record ? field(i) + " = $" : "$";
    node.children.push_back(expr(type.parts[i], budget - 1));
  }
  node.text += is_record ? "}" : ")";
  return node;
}

}  // namespace halo::fuzz
