// Expressions of scalar types.
#include <array>

#include "cli/fuzz/array_parts.h"
#include "cli/fuzz/general_parts.h"

namespace halo::fuzz {

Node ScalarGenerator::scalarExpr(const Type& type, int budget) {
  switch (below(8)) {
    case 0:
    case 1:
      return reduction(type, budget);
    case 2:
      return conversion(type, budget);
    case 3:
      return GeneralGenerator(state_).element(type, budget);
    default:
      if (type.isBool()) return boolean(budget);
      return type.isFloat() ? floating(type, budget) : arithmetic(type, budget);
  }
}

Node ScalarGenerator::arithmetic(const Type& type, int budget) {
  if (oneIn(8)) {
    static const std::array<const char*, 4> kUnary = {"abs", "sgn", "neg", "not"};
    static const std::array<const char*, 3> kCounting = {"popc", "clz", "ctz"};
    if (oneIn(4)) {
      const std::string counted = type.name + ".i32 (" + type.name + "." + pick(kCounting);
      return {type, "(" + counted + " $))", {expr(type, budget - 1)}};
    }
    if (oneIn(4)) {
      return {type,
              "(" + type.name + (oneIn(2) ? ".mul_hi" : ".max") + " $ $)",
              {expr(type, budget - 1), expr(type, budget - 1)}};
    }
    const std::string name = type.name + "." + pick(kUnary);
    return {type, "(" + name + " $)", {expr(type, budget - 1)}};
  }
  if (oneIn(16)) {
    return {type, "($ " + type.name + ".>>> $)", {expr(type, budget - 1), expr(type, budget - 1)}};
  }
  if (type.name == "i64" && oneIn(12)) return {type, "(table[$ % 5])", {expr(type, budget - 2)}};
  if (type.name == "i64" && oneIn(8)) {
    return {type, "(descend ($ % 5) $)", {expr(type, budget - 2), expr(type, budget - 2)}};
  }
  static const std::array<const char*, 18> kOperators = {"+", "+", "+",  "-",  "-",  "*",
                                                         "*", "/", "%",  "//", "%%", "&",
                                                         "|", "^", "<<", ">>", "**", "+"};
  const std::string op = pick(kOperators);
  const bool may_fail = op[0] == '/' || op[0] == '%' || op == "**";
  // A divisor or exponent that will do, most of the time.
  Node right = may_fail && !oneIn(5) ? Node{type, std::to_string(1 + below(6)) + type.name, {}}
                                     : expr(type, budget - 1);
  return {type, "($ " + op + " $)", {expr(type, budget - 1), std::move(right)}};
}

Node ScalarGenerator::floating(const Type& type, int budget) {
  if (style_ == Style::kDerivatives) return smooth(type, budget);
  if (oneIn(4)) {
    static const std::array<const char*, 7> kUnary = {"sqrt",  "abs", "floor", "neg",
                                                      "round", "exp", "sin"};
    return {type, "(" + type.name + "." + pick(kUnary) + " $)", {expr(type, budget - 1)}};
  }
  if (oneIn(4)) {
    return {type,
            "(" + type.name + (oneIn(2) ? ".min" : ".max") + " $ $)",
            {expr(type, budget - 1), expr(type, budget - 1)}};
  }
  static const std::array<const char*, 5> kOperators = {"+", "-", "*", "/", "%"};
  return {type,
          std::string("($ ") + pick(kOperators) + " $)",
          {expr(type, budget - 1), expr(type, budget - 1)}};
}

// Expressions of small values that have a derivative at most points.
Node ScalarGenerator::smooth(const Type& type, int budget) {
  static const std::array<const char*, 9> kShapes = {
      "($ + $)",   "($ - $)",     "($ * $)",
      "($ * $)",   "(T.min $ $)", "(T.max $ $)",
      "(T.sin $)", "(T.abs $)",   "($ / (1 + $ * 0 + 1))"};
  std::string text = pick(kShapes);
  for (size_t at = text.find('T'); at != std::string::npos; at = text.find('T')) {
    text.replace(at, 1, type.name);
  }
  std::vector<Node> children;
  for (const char c : text) {
    if (c == '$') children.push_back(expr(type, budget - 1));
  }
  return {type, text, std::move(children)};
}

Node ScalarGenerator::boolean(int budget) {
  const Type type = scalar("bool");
  switch (below(6)) {
    case 0:
      return {type, "(!$)", {expr(type, budget - 1)}};
    case 1:
      return {type,
              oneIn(2) ? "($ && $)" : "($ || $)",
              {expr(type, budget - 1), expr(type, budget - 1)}};
    case 2: {
      const Type any = valueType();
      return {
          type, oneIn(2) ? "($ == $)" : "($ != $)", {expr(any, budget - 1), expr(any, budget - 1)}};
    }
    case 3: {
      const Type item = elementType();
      const std::string size = anySize();
      if (oneIn(4)) {
        return {type, oneIn(2) ? "(and $)" : "(or $)", {expr(array(size, type), budget - 1)}};
      }
      return {type,
              oneIn(2) ? "(all $ $)" : "(any $ $)",
              {lambda({item}, type, budget - 2), expr(array(size, item), budget - 1)}};
    }
    default: {
      static const std::array<const char*, 4> kCompare = {"<", "<=", ">", ">="};
      const Type any = oneIn(4) ? scalar("f32") : integerType();
      return {type,
              std::string("($ ") + pick(kCompare) + " $)",
              {expr(any, budget - 1), expr(any, budget - 1)}};
    }
  }
}

Node ScalarGenerator::conversion(const Type& type, int budget) {
  const Type from = oneIn(6) ? scalarType() : integerType();
  if (from == type) return expr(type, budget - 1);
  if (type.isBool()) return {type, "(bool." + from.name + " $)", {expr(from, budget - 1)}};
  return {type, "(" + type.name + "." + from.name + " $)", {expr(from, budget - 1)}};
}

std::string GeneratorPart::combiner(const Type& type) {
  const std::string& name = type.name;
  if (type.isBool()) return oneIn(2) ? "(&&) true" : "(||) false";
  if (type.isFloat()) {
    if (style_ == Style::kDerivatives && !oneIn(3)) return oneIn(4) ? "(*) 1" : "(+) 0";
    if (oneIn(4)) return name + (oneIn(2) ? ".max " : ".min ") + name + ".nan";
    return name + (oneIn(2) ? ".max " + name + ".lowest" : ".min " + name + ".highest");
  }
  switch (below(6)) {
    case 0:
      return name + ".max " + name + ".lowest";
    case 1:
      return name + ".min " + name + ".highest";
    case 2:
      return "(*) 1";
    case 3:
      return "(^) 0";
    default:
      return "(+) 0";
  }
}

std::pair<std::string, std::string> GeneratorPart::operatorOf(const Type& type) {
  const std::string combined = combiner(type);
  const size_t space = combined.rfind(' ');
  return {combined.substr(0, space), combined.substr(space + 1)};
}

Node ScalarGenerator::reduction(const Type& type, int budget) {
  const std::string size = anySize();
  if (type == scalar("i64") && oneIn(5)) {
    const Type item = elementType();
    return {type,
            "(length (filter $ $))",
            {lambda({item}, scalar("bool"), budget - 2), expr(array(size, item), budget - 1)}};
  }
  if (type == scalar("i64") && oneIn(6)) return LibraryGenerator(state_).placeOfLargest(budget);
  if (type == scalar("i64") && oneIn(8)) {
    return {type, "(digits $)", {expr(array(size, type), budget - 1)}};
  }
  if ((type.name == "i64" || type.name == "u8") && oneIn(6)) {
    return {type, "(sums_" + type.name + ".total $)", {expr(array(size, type), budget - 1)}};
  }
  if (type.isFloat() && type.name != "f16" && oneIn(2)) {  // exact: small whole numbers
    return {type,
            "(" + type.name + ".sum (map (\\w -> " + type.name + ".i64 (w % 16)) $))",
            {expr(array(size, scalar("i64")), budget - 1)}};
  }
  const bool adds = type.isInteger() || (style_ == Style::kDerivatives && type.isFloat());
  if (adds && oneIn(4)) {  // associative, not commutative
    return {type,
            "(reduce (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip $ $)).1",
            {expr(array(size, type), budget - 1), expr(array(size, type), budget - 1)}};
  }
  if (oneIn(6)) {
    const Type item = elementType();
    return {type,
            "(foldl $ $ $)",
            {lambda({type, item}, type, budget - 2), expr(type, budget - 2),
             expr(array(size, item), budget - 1)}};
  }
  return {type,
          std::string(oneIn(5) ? "(reduce_comm " : "(reduce ") + combiner(type) + " $)",
          {expr(array(size, type), budget - 1)}};
}

}  // namespace halo::fuzz
