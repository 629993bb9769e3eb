// Nests of parallel operations, as whole programs have them: sorts of rows, rotations, loops around
// filters, histograms of tuples, constructors chosen in a map.
#include <array>

#include "cli/fuzz/array_parts.h"

namespace halo::fuzz {

Node NestGenerator::nest(const Type& type, int budget) {
  const Type& item = type.element();
  const bool has_keys = item.isInteger() || (item.isArray() && item.element().isInteger());
  switch (below(6)) {
    case 0:
      return has_keys ? sortedRows(type, budget) : rotated(type, budget);
    case 1:
      return filteringLoop(type, budget);
    case 2:
      return item.isInteger() ? tupleHistogram(type, budget) : matchedElements(type, budget);
    case 3:
      return matchedElements(type, budget);
    default:
      return rotated(type, budget);
  }
}

// Rows or columns sorted in a map, and rows of which each cell keeps one element.
Node NestGenerator::sortedRows(const Type& type, int budget) {
  const Type& item = type.element();
  if (item.isArray()) {
    const std::string sort = item.element().name + ".sort";
    if (oneIn(3)) {
      return {type, "(transpose (map " + sort + " (transpose $)))", {expr(type, budget - 1)}};
    }
    const Type key = integerType();
    if (oneIn(2)) return {type, "(map " + sort + " $)", {expr(type, budget - 1)}};
    return {type,
            "(map (merge_sort_by_key $ (<=)) $)",
            {lambda({item.element()}, key, budget - 3), expr(type, budget - 1)}};
  }
  const std::string row_size = anySize(), row = fresh("t");
  const Scope scope = mark();
  const std::string i = bind(scalar("i64"), "i");
  Node values = expr(array(row_size, item), budget - 2);
  leave(scope);
  return {type,
          "(map (\\" + i + " -> let " + row + " = " + item.name + ".sort $ in if " + row_size +
              " > 0 then " + row + "[" + i + " % " + row_size + "] else $) (iota " + type.name +
              "))",
          {std::move(values), literal(item)}};
}

// Each element with its neighbours, in a ring; once, or in a loop. Rows rotate as well.
Node NestGenerator::rotated(const Type& type, int budget) {
  static constexpr std::array<const char*, 6> kTurns = {"1", "(-1)", "2", "(-3)", "7", "0"};
  const Type& item = type.element();
  if (item.isArray() && oneIn(2)) {
    return {type,
            "(map (rotate " + std::string(pick(kTurns)) + ") (rotate " + pick(kTurns) + " $))",
            {expr(type, budget - 1)}};
  }
  const std::string a = fresh("a");
  const Scope scope = mark();
  const std::string x = bind(item, "x"), y = bind(item, "y"), z = bind(item, "z");
  Node joined = expr(item, budget - 2);
  leave(scope);
  const std::string step = "map3 (\\" + x + " " + y + " " + z + " -> $) (rotate " + pick(kTurns) +
                           " " + a + ") " + a + " (rotate " + pick(kTurns) + " " + a + ")";
  if (oneIn(2)) {
    return {
        type, "(let " + a + " = $ in " + step + ")", {expr(type, budget - 1), std::move(joined)}};
  }
  return {type,
          "(loop " + a + " = $ for _t < " + std::to_string(1 + below(4)) + " do " + step + ")",
          {expr(type, budget - 1), std::move(joined)}};
}

// Elements change and leave until the loop ends; the number of the last ones is a size.
Node NestGenerator::filteringLoop(const Type& type, int budget) {
  const Type item = elementType();
  const std::string length = fresh("l"), name = fresh("g");
  Node start = expr(array(anySize(), item), budget - 2);
  Node kept = lambda({item}, scalar("bool"), budget - 2);
  Node changed = lambda({item}, item, budget - 2);
  const Scope scope = mark();
  const std::string left = bind(array(length, item));
  sizes_.push_back(length);
  Node body = expr(type, budget - 1);
  leave(scope);
  const std::string of = "[]" + text(item);
  return {type,
          "(let [" + length + "] (" + left + ": [" + length + "]" + text(item) + ") = loop (" +
              name + ": " + of + ") = $ for _t < " + std::to_string(1 + below(3)) +
              " do map $ (filter $ " + name + ") in $)",
          {std::move(start), std::move(changed), std::move(kept), std::move(body)}};
}

// The largest of each bin and where it stands, in a histogram of pairs.
Node NestGenerator::tupleHistogram(const Type& type, int budget) {
  const Type& item = type.element();
  const std::string count = anySize(), &bins = type.name;
  const std::string lowest = "(" + item.name + ".lowest, -1)";
  const std::string larger =
      "(\\(a, i) (b, j) -> if a > b || (a == b && i > j) then (a, i) else (b, j))";
  const std::string pairs = "(zip $ (iota " + count + "))";
  Node keys = expr(array(count, scalar("i64")), budget - 2);
  Node values = expr(array(count, item), budget - 2);
  const std::string at = oneIn(2) ? "$" : "(map (% (i64.max 1 " + bins + ")) $)";
  if (oneIn(2)) {
    return {type,
            "(unzip (hist " + larger + " " + lowest + " " + bins + " " + at + " " + pairs + ")).0",
            {std::move(keys), std::move(values)}};
  }
  return {type,
          "(map (.0) (reduce_by_index (map (\\x -> (x, 0)) $) " + larger + " " + lowest + " " + at +
              " " + pairs + "))",
          {expr(type, budget - 1), std::move(keys), std::move(values)}};
}

// An array of sums is made by one map and matched by another, or by the same.
Node NestGenerator::matchedElements(const Type& type, int budget) {
  const Type& item = type.element();
  const Type from = elementType(), other = scalarType();
  const Type sum{Type::Kind::kSum, "", {other, item, tuple({other, item})}};
  Scope scope = mark();
  const std::string x = bind(from, "x");
  Node first = expr(scalar("bool"), budget - 3), second = expr(scalar("bool"), budget - 3);
  std::vector<Node> made;
  for (const Type& payload : sum.parts) made.push_back(expr(payload, budget - 3));
  leave(scope);
  std::vector<Node> taken;
  std::string cases;
  for (size_t i = 0; i < sum.parts.size(); ++i) {
    scope = mark();
    cases += " case " + constructor(i) + " " + bind(sum.parts[i]) + " -> $";
    taken.push_back(expr(item, budget - 2));
    leave(scope);
  }
  const std::string make = "(if $ then " + constructor(0) + " $ else if $ then " + constructor(1) +
                           " $ else " + constructor(2) + " $ : " + text(sum) + ")";
  const std::string lambda_of_x = "(\\" + x + " -> ";
  const bool is_one = oneIn(3);
  const std::string made_text = "(map " + lambda_of_x + make + ") $)";
  Node node{type, "", {}};
  node.text = is_one ? "(map " + lambda_of_x + "match " + make + cases + ") $)"
                     : "(map (\\s -> match s" + cases + ") " + made_text + ")";
  std::vector<Node> making = {std::move(first), std::move(made[0]), std::move(second),
                              std::move(made[1]), std::move(made[2])};
  std::vector<Node>& earlier = is_one ? making : taken;
  std::vector<Node>& later = is_one ? taken : making;
  for (Node& child : earlier) node.children.push_back(std::move(child));
  for (Node& child : later) node.children.push_back(std::move(child));
  node.children.push_back(expr(array(type.name, from), budget - 1));
  return node;
}

}  // namespace halo::fuzz
