// Expressions of array types.
#include <array>

#include "cli/fuzz/array_parts.h"
#include "cli/fuzz/general_parts.h"

namespace halo::fuzz {

Node ArrayGenerator::arrayExpr(const Type& type, int budget) {
  const bool of_scalars = type.element().isScalar();
  switch (below(style_ == Style::kDerivatives ? 32 : 36)) {
    case 32:
    case 33:
    case 34:
    case 35:
      return WrittenGenerator(state_).written(type, budget);
    case 28:
    case 29:
    case 30:
    case 31:
      return NestGenerator(state_).nest(type, budget);
    case 26:
    case 27:
      return LibraryGenerator(state_).byName(type, budget);
    case 22:
    case 23:
    case 24:
    case 25:
      return IdiomGenerator(state_).idiom(type, budget);
    case 13:
    case 14:
      return SliceGenerator(state_).sliced(type, budget);
    case 15:
      return SliceGenerator(state_).updatedPart(type, budget);
    case 16:
      return LibraryGenerator(state_).fromLibrary(type, budget);
    case 17:
    case 18:
      return CellGenerator(state_).withCells(type, budget);
    case 0:
    case 1:
      return of_scalars ? scanned(type, budget) : rowwise(type, budget);
    case 2:
    case 3:
      return updated(type, budget);
    case 4:
      return scattered(type, budget);
    case 5:
      return histogram(type, budget);
    case 6:
    case 7:
      return StencilGenerator(state_).stencil(type, budget);
    case 8:
      return StencilGenerator(state_).slid(type, budget);
    case 9:
      return StencilGenerator(state_).steps(type, budget);
    case 10:
      return rearranged(type, budget);
    case 11:
      return pieces(type, budget);
    case 12:
      return grown(type, budget);
    default:
      return oneIn(8) ? splitMap(type, budget) : mapped(type, budget);
  }
}

Node ArrayGenerator::mapped(const Type& type, int budget) {
  const std::string& size = type.name;
  switch (below(7)) {
    case 5: {  // two arrays at once
      const Type item = elementType(), other = elementType();
      return {type,
              "(unzip (map $ $)).0",
              {lambda({item}, tuple({type.element(), other}), budget - 1),
               expr(array(size, item), budget - 1)}};
    }
    case 6: {  // counting in steps, up or down
      const std::string range = oneIn(2) ? "(0..2..<2 * " + size + " :> [" + size + "]i64)"
                                         : "(" + size + " - 1..>-1 :> [" + size + "]i64)";
      return {type, "(map $ " + range + ")", {lambda({scalar("i64")}, type.element(), budget - 1)}};
    }
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

Node ArrayGenerator::scanned(const Type& type, int budget) {
  if (type.element().isInteger() && oneIn(3)) {
    return {type,
            "(unzip (scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip $ $))).1",
            {expr(type, budget - 1), expr(type, budget - 1)}};
  }
  if (oneIn(6)) return scannedWide(type, budget);
  if (oneIn(4))
    return {type, "(exscan " + combiner(type.element()) + " $)", {expr(type, budget - 1)}};
  return {type, "(scan " + combiner(type.element()) + " $)", {expr(type, budget - 1)}};
}

// More components than a kernel has steps written out for.
Node ArrayGenerator::scannedWide(const Type& type, int budget) {
  std::string sums, neutrals, copies;
  const uint64_t count = 5 + below(5);
  for (uint64_t k = 0; k < count; ++k) {
    const std::string combined = combiner(type.element()), comma = k > 0 ? ", " : "";
    const size_t space = combined.rfind(' ');
    const std::string at = "." + std::to_string(k);
    sums += comma + combined.substr(0, space) + " a" + at + " b" + at;
    neutrals += comma + combined.substr(space + 1);
    copies += comma + "w";
  }
  return {type,
          "(map (." + std::to_string(below(count)) + ") (scan (\\a b -> (" + sums + ")) (" +
              neutrals + ") (map (\\w -> (" + copies + ")) $)))",
          {expr(type, budget - 1)}};
}

// A map in two parts, which is the map of the whole.
Node ArrayGenerator::splitMap(const Type& type, int budget) {
  const Type from = elementType();
  const std::string f = fresh("f"), a = fresh("a"), h = fresh("h");
  Node function = lambda({from}, type.element(), budget - 1);
  const std::string mapped = "map " + f + " ", joined = oneIn(2) ? " ++ " : " `concat` ";
  const std::string at = oneIn(2) ? type.name + " / 2" : "i64.min 1 " + type.name;
  return {type,
          "(let " + f + " = $ let " + a + " = $ let " + h + " = " + at + " in " + mapped +
              "(take " + h + " " + a + ")" + joined + mapped + "(drop " + h + " " + a + ") :> " +
              text(type) + ")",
          {std::move(function), expr(array(type.name, from), budget - 1)}};
}

Node ArrayGenerator::updated(const Type& type, int budget) {
  const std::string& size = type.name;
  switch (below(5)) {
    case 4: {  // two arrays that exchange elements
      Node start = expr(type, budget - 1), other = expr(type, budget - 1);
      const Scope scope = mark();
      const std::string a = bind(type, "acc"), b = bind(type, "acc"), i = bind(scalar("i64"), "i");
      Node value = expr(type.element(), budget - 1);
      leave(scope);
      const std::string at = "[" + i + "]";
      return {type,
              "(loop (" + a + ", " + b + ") = (copy $, copy $) for " + i + " < " + size +
                  " do let new = copy $ let old = copy " + b + at + " let " + b + at + " = copy " +
                  a + at + " in (" + b + ", " + a + " with " + at + " = if " + i +
                  " % 2 == 0 then old else new)).0",
              {std::move(start), std::move(other), std::move(value)}};
    }
    case 0: {  // each place once
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
Node ArrayGenerator::scattered(const Type& type, int budget) {
  static const std::array<const char*, 4> kSlopes = {"1", "2", "3", "(-1)"};
  const std::string from = anySize();
  if (type.element().isArray() && oneIn(2)) {
    const Type& item = type.element().element();
    return {type,
            "(scatter_2d (copy $) (map (\\w -> (w + $, w % 3)) (iota " + from + ")) $)",
            {expr(type, budget - 1), literal(scalar("i64")), expr(array(from, item), budget - 1)}};
  }
  return {type,
          "(scatter (copy $) (map (\\w -> w * " + std::string(pick(kSlopes)) + " + $) (iota " +
              from + ")) $)",
          {expr(type, budget - 1), expr(scalar("i64"), budget - 3),
           expr(array(from, type.element()), budget - 1)}};
}

Node ArrayGenerator::histogram(const Type& type, int budget) {
  const std::string from = anySize();
  const Type& item = type.element();
  if (item.isArray() && item.element().isInteger()) {
    return {type,
            "(reduce_by_index_2d (copy $) " + combiner(item.element()) +
                " (map (\\w -> (w % 5, w % 3 - 1)) $) $)",
            {expr(type, budget - 1), expr(array(from, scalar("i64")), budget - 1),
             expr(array(from, item.element()), budget - 1)}};
  }
  if (!item.isScalar()) return mapped(type, budget);
  if (item.isInteger() && oneIn(6)) {
    return {type,
            "(map (\\p -> p[0, 1]) (reduce_by_index_3d (map (\\x -> [[x, x]]) $) " +
                combiner(item) + " (map (\\w -> (w, w % 2, w % 3)) $) $))",
            {expr(type, budget - 1), expr(array(from, scalar("i64")), budget - 1),
             expr(array(from, item), budget - 1)}};
  }
  if (style_ == Style::kDerivatives && item.isFloat() && oneIn(3)) {
    return {type,
            "(map (\\(a, b) -> " + item.name +
                ".f32 a + b) (hist (\\(a, b) (c, d) -> (a * c, b + d)) (1f32, 0) " + type.name +
                " $ (zip $ $)))",
            {expr(array(from, scalar("i64")), budget - 1),
             expr(array(from, scalar("f32")), budget - 1), expr(array(from, item), budget - 1)}};
  }
  if (item.isInteger() && oneIn(3)) {
    return {type,
            "(unzip (hist (\\(a, b) (c, d) -> (a + c, b ^ d)) (0i64, 0) " + type.name +
                " $ (zip $ $))).1",
            {expr(array(from, scalar("i64")), budget - 1),
             expr(array(from, scalar("i64")), budget - 1), expr(array(from, item), budget - 1)}};
  }
  return {type,
          "(reduce_by_index (copy $) " + combiner(type.element()) + " $ $)",
          {expr(type, budget - 1), expr(array(from, scalar("i64")), budget - 1),
           expr(array(from, type.element()), budget - 1)}};
}

Node ArrayGenerator::rearranged(const Type& type, int budget) {
  const std::string& size = type.name;
  const Type& item = type.element();
  if (item.isArray() && item.element().isArray() && oneIn(2)) {  // in each plane
    const Type plane = array(item.element().name, array(item.name, item.element().element()));
    return {type, "(map transpose $)", {expr(array(size, plane), budget - 1)}};
  }
  if (item.isArray() && oneIn(2)) {
    return {
        type, "(transpose $)", {expr(array(item.name, array(size, item.element())), budget - 1)}};
  }
  switch (below(7)) {
    case 4:  // every second of twice as many
      return {type,
              std::string("(let z = $ ++ $ in z[") + (oneIn(2) ? "::2" : "1::2") + "] :> " +
                  text(type) + ")",
              {expr(type, budget - 1), expr(type, budget - 1)}};
    case 5:  // columns of rows
      return {type,
              "(map (\\row -> last row) (unflatten (flatten $ :> [" + size + " * 3]" + text(item) +
                  ")))",
              {expr(array("3", type), budget - 1)}};
    case 6: {
      const std::string other = anySize();
      return {
          type,
          "(take " + size + " ($ ++ drop " + other + " ($ ++ $)))",
          {expr(type, budget - 1), expr(array(other, item), budget - 2), expr(type, budget - 1)}};
    }
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

// Of concatenations, of partitions: the run checks the known facts about sizes.
Node ArrayGenerator::pieces(const Type& type, int budget) {
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

// Operators on whole rows, of which only some work element by element.
Node ArrayGenerator::rowwise(const Type& type, int budget) {
  const Type& row = type.element();
  if (row.kind == Type::Kind::kSum) {  // the last that is no neutral element
    const Type& first = row.parts[0];
    const std::string neutral = constructor(0) + " " + text(literal(first));
    if (!first.isInteger()) return mapped(type, budget);
    const std::string as = ": " + text(row) + ")";
    return {type,
            "(scan (\\(a" + as + " (b" + as + " -> if b == (" + neutral + as + " then a else b) (" +
                neutral + as + " $)",
            {expr(type, budget - 1)}};
  }
  if (!row.isArray() || !row.element().isInteger()) return mapped(type, budget);
  const std::string op = combiner(row.element());
  const size_t space = op.rfind(' ');
  const std::string rows = "(map2 " + op.substr(0, space) + ") (replicate " + row.name + " " +
                           op.substr(space + 1) + ")";
  if (oneIn(2)) return {type, "(scan " + rows + " $)", {expr(type, budget - 1)}};
  return {type, "(replicate " + type.name + " (reduce " + rows + " $))", {expr(type, budget - 1)}};
}

// An array that a loop makes longer or shorter.
Node ArrayGenerator::grown(const Type& type, int budget) {
  const std::string name = fresh("g"), item = text(type.element());
  Node start = expr(type, budget - 1);
  const Scope scope = mark();
  const std::string index = bind(scalar("i64"), "i");
  Node more = expr(type.element(), budget - 2);
  Node kept = lambda({type.element()}, scalar("bool"), budget - 3);
  leave(scope);
  return {type,
          "(take " + type.name + " ((loop (" + name + ": []" + item + ") = $ for " + index +
              " < 3 do if " + index + " == 1 then filter $ " + name + " else " + name +
              " ++ [$]) ++ $))",
          {std::move(start), std::move(kept), std::move(more), expr(type, budget - 2)}};
}

}  // namespace halo::fuzz
