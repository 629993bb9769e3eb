// Expressions of array types.
#include <array>

#include "cli/fuzz/generator.h"

namespace halo::fuzz {

Node Generator::arrayExpr(const Type& type, int budget) {
  const bool of_scalars = type.element().isScalar();
  switch (below(13)) {
    case 0:
    case 1:
      return of_scalars ? scanned(type, budget) : mapped(type, budget);
    case 2:
    case 3:
      return updated(type, budget);
    case 4:
      return scattered(type, budget);
    case 5:
      return type.element().isInteger() ? histogram(type, budget) : mapped(type, budget);
    case 6:
    case 7:
      return stencil(type, budget);
    case 8:
      return slid(type, budget);
    case 9:
      return rearranged(type, budget);
    case 10:
      return pieces(type, budget);
    default:
      return mapped(type, budget);
  }
}

Node Generator::mapped(const Type& type, int budget) {
  const std::string& size = type.name;
  switch (below(5)) {
    case 0:
      return {
          type, "(tabulate " + size + " $)", {lambda({scalar("i64")}, type.element(), budget - 1)}};
    case 1: {
      const Type a = elementType(), b = elementType();
      return {type,
              "(map2 $ $ $)",
              {lambda({a, b}, type.element(), budget - 1), expr(array(size, a), budget - 1),
               expr(array(size, b), budget - 1)}};
    }
    case 2: {  // rows
      const Type row = array(anySize(), scalarType());
      return {type,
              "(map $ $)",
              {lambda({row}, type.element(), budget - 1), expr(array(size, row), budget - 1)}};
    }
    default: {
      const Type item = elementType();
      return {type,
              "(map $ $)",
              {lambda({item}, type.element(), budget - 1), expr(array(size, item), budget - 1)}};
    }
  }
}

Node Generator::scanned(const Type& type, int budget) {
  if (type.element().isInteger() && oneIn(3)) {
    return {type,
            "(unzip (scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip $ $))).1",
            {expr(type, budget - 1), expr(type, budget - 1)}};
  }
  if (oneIn(4))
    return {type, "(exscan " + combiner(type.element()) + " $)", {expr(type, budget - 1)}};
  return {type, "(scan " + combiner(type.element()) + " $)", {expr(type, budget - 1)}};
}

Node Generator::updated(const Type& type, int budget) {
  const std::string& size = type.name;
  switch (below(4)) {
    case 0: {  // every place in turn
      Node start = expr(type, budget - 1);
      const Scope scope = mark();
      const std::string carried = bind(type, "acc"), index = bind(scalar("i64"), "i");
      Node value = expr(type.element(), budget - 1);
      leave(scope);
      return {type,
              "(loop " + carried + " = copy $ for " + index + " < " + size + " do " + carried +
                  " with [" + index + "] = copy $)",
              {std::move(start), std::move(value)}};
    }
    case 1: {  // a part, from another array
      const std::string low = fresh("lo"), high = fresh("hi");
      const std::string part = "[" + low + ":" + high + "]";
      const bool outside = oneIn(5);
      return {type,
              "(let " + low + " = $ " + (outside ? "" : "% (" + size + " + 1) ") + "let " + high +
                  " = " + low + " + $ % (" + size + " - " + low + " + 1) in (copy $) with " + part +
                  " = ($)" + part + ")",
              {expr(scalar("i64"), budget - 2), literal(scalar("i64")), expr(type, budget - 1),
               expr(type, budget - 1)}};
    }
    case 2:
      return {type,
              "(put (copy $) ($ % (" + size + " + 1)) (copy $))",
              {expr(type, budget - 1), expr(scalar("i64"), budget - 2),
               expr(type.element(), budget - 1)}};
    default: {
      const std::string name = fresh("u");
      return {type,
              "(let " + name + " = copy $ in if " + size + " == 0 then " + name + " else " + name +
                  " with [$ % " + size + "] = copy $)",
              {expr(type, budget - 1), expr(scalar("i64"), budget - 2),
               expr(type.element(), budget - 1)}};
    }
  }
}

// Places are a line with a slope, so no two are the same; some lie outside.
Node Generator::scattered(const Type& type, int budget) {
  static const std::array<const char*, 4> kSlopes = {"1", "2", "3", "(-1)"};
  const std::string from = anySize();
  return {type,
          "(scatter (copy $) (map (\\w -> w * " + std::string(pick(kSlopes)) + " + $) (iota " +
              from + ")) $)",
          {expr(type, budget - 1), expr(scalar("i64"), budget - 3),
           expr(array(from, type.element()), budget - 1)}};
}

Node Generator::histogram(const Type& type, int budget) {
  const std::string from = anySize();
  return {type,
          "(reduce_by_index (copy $) " + combiner(type.element()) + " $ $)",
          {expr(type, budget - 1), expr(array(from, scalar("i64")), budget - 1),
           expr(array(from, type.element()), budget - 1)}};
}

std::string Generator::boundary(const Type& element) {
  static const std::array<const char*, 3> kPlain = {"#clamp", "#mirror", "#wrap"};
  if (!oneIn(3) || !element.isScalar()) return pick(kPlain);
  return "(#constant " + text(literal(element)) + ")";
}

Node Generator::stencil(const Type& type, int budget) {
  static const std::array<const char*, 4> kOffsets = {"[-1, 0, 1]", "[-2, 0, 1]", "[0, 3, -1]",
                                                      "[k % 3, 0, 1]"};
  const std::string& size = type.name;
  const Type from = oneIn(4) ? tuple({scalarType(), scalarType()}) : scalarType();
  const Type invariant = scalarType();
  const bool is_dynamic = oneIn(5);
  const std::string offsets = is_dynamic ? "[$, 0, $]" : kOffsets[below(3)];
  std::string with = oneIn(2) ? "(stencil_1d " : "(stencil_1d_with " + boundary(from) + " ";
  Node node{type, with + offsets + " $ $ $)", {}};
  if (is_dynamic) node.children = {literal(scalar("i64")), literal(scalar("i64"))};
  node.children.push_back(lambda({invariant, array("3", from)}, type.element(), budget - 1));
  node.children.push_back(expr(array(size, invariant), budget - 2));
  node.children.push_back(expr(array(size, from), budget - 1));
  if (!type.element().isArray() || !type.element().element().isScalar() || oneIn(2)) return node;
  const Type plane = array(size, array(type.element().name, from));
  return {type,
          "(stencil_2d [(-1, 0), (0, 0), (0, 2)] $ $ $)",
          {lambda({invariant, array("3", from)}, type.element().element(), budget - 1),
           expr(array(size, array(type.element().name, invariant)), budget - 2),
           expr(plane, budget - 1)}};
}

// Windows of three over an array grown by one on each side, or by two in front.
Node Generator::slid(const Type& type, int budget) {
  const Type from = scalarType();
  const std::string pad = std::string(oneIn(2) ? "1 1 " : "2 0 ") + boundary(from);
  return {type,
          "(map $ (slide_1d 3 1 (pad_1d " + pad + " $)) :> " + text(type) + ")",
          {lambda({array("3", from)}, type.element(), budget - 1),
           expr(array(type.name, from), budget - 1)}};
}

Node Generator::rearranged(const Type& type, int budget) {
  const std::string& size = type.name;
  const Type& item = type.element();
  if (item.isArray() && oneIn(2)) {
    return {
        type, "(transpose $)", {expr(array(item.name, array(size, item.element())), budget - 1)}};
  }
  switch (below(4)) {
    case 0:
      return {type, "(reverse $)", {expr(type, budget - 1)}};
    case 1:
      return {type, "(rotate $ $)", {literal(scalar("i64")), expr(type, budget - 1)}};
    case 2: {
      const std::string other = anySize();
      return {type,
              "(flatten (transpose $))[:" + size + "]",
              {expr(array("3", array(size, item)), budget - 1)}};
    }
    default: {
      const Type other = scalarType();
      return {type,
              "(unzip (zip $ $)).0",
              {expr(type, budget - 1), expr(array(size, other), budget - 1)}};
    }
  }
}

// Of concatenations, of partitions: what is known of sizes is checked when it runs.
Node Generator::pieces(const Type& type, int budget) {
  const std::string& size = type.name;
  if (oneIn(2)) {
    const std::string other = anySize();
    return {type,
            oneIn(2) ? "($ ++ $)[:" + size + "]" : "(concat $ $)[:" + size + "]",
            {expr(type, budget - 1), expr(array(other, type.element()), budget - 1)}};
  }
  const std::string name = fresh("q");
  return {type,
          "(let " + name + " = partition $ $ in (" + name + ".0 ++ " + name + ".1) :> " +
              text(type) + ")",
          {lambda({type.element()}, scalar("bool"), budget - 2), expr(type, budget - 1)}};
}

}  // namespace halo::fuzz
