// Patterns: values matched in lets and matches, records with other fields.
#include <array>

#include "cli/fuzz/general_parts.h"

namespace halo::fuzz {

Node PatternGenerator::withPattern(const Type& type, int budget) {
  switch (below(5)) {
    case 0:
      return takenApart(type, budget);
    case 1:
      return matchedNumber(type, budget);
    case 2:
      return matchedPair(type, budget);
    case 3:
      return matchedPayload(type, budget);
    default:
      return otherField(type, budget);
  }
}

// A tuple in a record in a tuple; some parts without a name.
Node PatternGenerator::takenApart(const Type& type, int budget) {
  const Type one = valueType(), two = scalarType(), three = valueType();
  const Type record{Type::Kind::kRecord, "", {tuple({one, two}), three}};
  Node value = expr(tuple({record, scalar("i64")}), budget - 1);
  const Scope scope = mark();
  const std::string a = bind(one), b = oneIn(3) ? "_" : bind(two), c = bind(three);
  const std::string d = bind(scalar("i64"));
  Node rest = expr(type, budget - 1);
  leave(scope);
  return {type,
          "(let ({" + field(0) + " = (" + a + ", " + b + "), " + field(1) + " = " + c + "}, " + d +
              ") = $ in $)",
          {std::move(value), std::move(rest)}};
}

Node PatternGenerator::matchedNumber(const Type& type, int budget) {
  const Type number = integerType();
  Node value = expr(number, budget - 2);
  Node few = expr(type, budget - 1), some = expr(type, budget - 1);
  const Scope scope = mark();
  const std::string x = bind(number, "x");
  Node many = expr(type, budget - 1);
  leave(scope);
  return {type,
          "(match $ case 0 -> $ case 3 -> $ case " + x + " -> $)",
          {std::move(value), std::move(few), std::move(some), std::move(many)}};
}

Node PatternGenerator::matchedPair(const Type& type, int budget) {
  const Type number = integerType();
  Node value = expr(tuple({number, scalar("bool")}), budget - 1);
  const Scope scope = mark();
  const std::string x = bind(number, "x");
  Node yes = expr(type, budget - 1), no = expr(type, budget - 1);
  leave(scope);
  Node one = expr(type, budget - 2);
  return {type,
          "(match $ case (" + x + ", true) -> $ case (1, _) -> $ case (" + x + ", false) -> $)",
          {std::move(value), std::move(yes), std::move(one), std::move(no)}};
}

// A number in a constructor, constructors without payload, one in another.
Node PatternGenerator::matchedPayload(const Type& type, int budget) {
  const Type number = integerType();
  const std::string sum = "(#none | #some " + number.name + " | #both " + number.name + " bool)";
  static constexpr std::array<const char*, 3> kMade = {"#some $", "#both $ true", "#both $ false"};
  const std::string made = "(if $ then #none else " + std::string(pick(kMade)) + " : " + sum + ")";
  Node is_none = expr(scalar("bool"), budget - 2), value = expr(number, budget - 2);
  const Scope scope = mark();
  const std::string x = bind(number, "x");
  Node some = expr(type, budget - 1), both = expr(type, budget - 1);
  leave(scope);
  Node two = expr(type, budget - 2), none = expr(type, budget - 2);
  return {type,
          "(match " + made + " case #some 2 -> $ case #some " + x +
              " -> $ case #none -> $ case #both " + x + " _ -> $)",
          {std::move(is_none), std::move(value), std::move(two), std::move(some), std::move(none),
           std::move(both)}};
}

Node PatternGenerator::otherField(const Type& type, int budget) {
  const Type record{Type::Kind::kRecord, "", {scalarType(), type}};
  const size_t changed = below(2);
  return {type,
          "($ with " + field(changed) + " = $)." + field(1),
          {expr(record, budget - 1), expr(record.parts[changed], budget - 1)}};
}

}  // namespace halo::fuzz
