// Functions of the library other than map, reduce and scan: sorts, spreads, tables of several
// dimensions; and ranges, sections and operators of three arrays.
#include <array>

#include "cli/fuzz/general_parts.h"

namespace halo::fuzz {

// Names that programs use now and then: `$` is an array of the type, `@` an element, N its size, T
// the type of elements.
Node LibraryGenerator::byName(const Type& type, int budget) {
  static constexpr std::array<const char*, 33> kTexts = {
      "(let (_, q): ([N]T, [N]T) = split ($ ++ $) in q)",
      "(init ($ ++ [@]) :> [N]T)",
      "(tail ([@] ++ $) :> [N]T)",
      "(uncurry (map2 const) ($, $))",
      "(curry (\\(p, q) -> map2 (\\_ x -> x) p q) $ $)",
      "(flip (map2 (\\x _ -> x)) $ $)",
      "(manifest $)",
      "(opaque $)",
      "(iterate_while (\\v -> length v < 0) (map id) $)",
      "(iterate_until (\\v -> length v >= 0) (map id) $)",
      "(map4 (\\a _ _ _ -> a) $ $ $ $)",
      "(map5 (\\_ _ _ _ e -> e) $ $ $ $ $)",
      "(sized N $)",
      "(let v = $ in map (\\i -> v[i]) (indices v))",
      "(let (p, q, r) = partition2 (const true) (const false) $ in (p ++ q ++ r) :> [N]T)",
      "(let (p, q) = semipartition (const false) $ in (p ++ q) :> [N]T)",
      "(take N (flatten_3d (tabulate_3d N 2 3 (\\_ _ _ -> @))))",
      "(map (\\p -> p[0, 0]) (unflatten_3d ($ :> [N * 1 * 1]T)))",
      "(foldr (\\_ v -> v) $ [1i32])",
      "(id <| $)",
      "($ `const` $)",
      "(take N (flatten_3d (scatter_3d (replicate N (replicate 2 (replicate 2 @))) (map (\\w -> "
      "(w, "
      "w % 2, 1)) (iota N)) $)))",
      "(let (p, _, _) = unzip3 (zip3 $ (iota N) $) in p)",
      "(let (_, _, _, s) = unzip4 (zip4 (iota N) $ (iota N) $) in s)",
      "(let (_, q, _, _, _) = unzip5 (zip5 $ $ (iota N) (iota N) $) in q)",
      "(unzip2 (zip2 $ $)).1",
      "(write (iota N) $ (copy $))",
      "(map (\\p -> p[0, 0, 0]) (unflatten_4d ($ :> [N * 1 * 1 * 1]T)))",
      "(flatten_4d (map (\\x -> [[[x]]]) $) :> [N]T)",
      "(tabulate_1d N (\\_ -> @))",
      "(map1 id $)",
      "(map (\\v -> head v) (replicate N [@, @]))",
      "(if null $ then $ else replicate N (last ([@] ++ $)))"};
  Node node{type, "", {}};
  for (const char* c = pick(kTexts); *c != '\0'; ++c) {
    if (*c == '$') node.children.push_back(expr(type, budget - 2));
    if (*c == '@') node.children.push_back(expr(type.element(), budget - 3));
    node.text += *c == '@'   ? "$"
                 : *c == 'N' ? type.name
                 : *c == 'T' ? text(type.element())
                             : std::string{*c};
  }
  return node;
}

Node LibraryGenerator::fromLibrary(const Type& type, int budget) {
  const std::string& size = type.name;
  const Type& item = type.element();
  switch (below(9)) {
    case 6:
    case 7:
    case 8:
      return byName(type, budget);
    case 0:
      return sorted(type, budget);
    case 1:
      if (item.isArray()) {
        return {type,
                "(tabulate_2d " + size + " " + item.name + " $)",
                {lambda({scalar("i64"), scalar("i64")}, item.element(), budget - 2)}};
      }
      return {type,
              "(map $ (1..." + size + " :> [" + size + "]i64))",
              {lambda({scalar("i64")}, item, budget - 1)}};
    case 2: {  // a table with gaps
      const std::string from = anySize();
      return {type,
              "(spread " + size + " $ (map (\\w -> w * 2 - 1) (iota " + from + ")) $)",
              {leaf(item), expr(array(from, item), budget - 1)}};
    }
    case 3: {
      const Type a = elementType(), b = scalarType(), c = scalarType();
      return {type,
              "(map3 $ $ $ $)",
              {lambda({a, b, c}, item, budget - 1), expr(array(size, a), budget - 2),
               expr(array(size, b), budget - 2), expr(array(size, c), budget - 2)}};
    }
    case 4: {
      if (!item.isInteger()) break;
      static constexpr std::array<const char*, 4> kSections = {"(+ $)", "($ -)", "(* $)", "($ ^)"};
      return {type,
              "(map " + std::string(pick(kSections)) + " $)",
              {expr(item, budget - 2), expr(type, budget - 1)}};
    }
    default:
      break;
  }
  return {type,
          "(iterate $ $ $)",
          {Node{scalar("i32"), std::to_string(below(4)) + "i32", {}},
           lambda({type}, type, budget - 2), expr(type, budget - 1)}};
}

// Whole numbers only: NaN has no order.
Node LibraryGenerator::sorted(const Type& type, int budget) {
  const Type& item = type.element();
  const Type key = integerType();
  if (item.isInteger() && oneIn(2)) {
    return {type, "(" + item.name + ".sort $)", {expr(type, budget - 1)}};
  }
  const Node by = lambda({item}, key, budget - 3);
  if (oneIn(2)) {
    return {type, "(merge_sort_by_key $ (<=) $)", {by, expr(type, budget - 1)}};
  }
  return {type, "(" + key.name + ".sort_by_key $ $)", {by, expr(type, budget - 1)}};
}

// The place of the largest element, or of the first of them.
Node LibraryGenerator::placeOfLargest(int budget) {
  const Type item = integerType();
  const std::string size = anySize();
  if (oneIn(3)) {  // by an operator that fails on neutral elements
    return {
        scalar("i64"),
        "(let w = $ in reduce (\\i j -> if i < 0 || w[j] > w[i] || (w[j] == w[i] && j < i) then j "
        "else i) (-1) (iota " +
            size + "))",
        {expr(array(size, item), budget - 1)}};
  }
  return {scalar("i64"),
          "(reduce (\\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (" +
              item.name + ".lowest, -1) (zip $ (iota " + size + "))).1",
          {expr(array(size, item), budget - 1)}};
}

}  // namespace halo::fuzz
