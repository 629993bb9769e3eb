// Idioms of written programs: neighbours by index with each kind of boundary, small sorts and
// tables in cells, sums whose length depends on the cell. Also rows and columns, partitions by
// scans, searches, arrays halved by a loop.
#include <array>
#include <utility>

#include "cli/fuzz/array_parts.h"

namespace halo::fuzz {

namespace {

// Element `i + step` of `a`, of which there are n: clamped, wrapped, or something else outside.
std::string neighbour(uint64_t kind, const std::string& a, const std::string& n,
                      const std::string& step) {
  const std::string at = "i + " + step;
  switch (kind) {
    case 0:
      return a + "[i64.max 0 (i64.min (" + n + " - 1) (" + at + "))]";
    case 1:
      return a + "[(" + at + ") % " + n + "]";
    case 2:
      return "(if " + at + " >= 0 && " + at + " < " + n + " then " + a + "[" + at + "] else $)";
    default:
      return "(if i < 3 || i + 3 >= " + n + " then " + a + "[i] else " + a + "[" + at + "])";
  }
}

// The index `at + step` below n: clamped or wrapped.
std::string indexBeside(bool wraps, const std::string& at, const std::string& n,
                        const std::string& step) {
  const std::string there = "(" + at + " + " + step + ")";
  if (wraps) return there + " % " + n;
  return "i64.max 0 (i64.min (" + n + " - 1) " + there + ")";
}

}  // namespace

Node IdiomGenerator::idiom(const Type& type, int budget) {
  const Type& item = type.element();
  if (oneIn(6)) return sharedStarts(type, budget);
  if (item.isArray() && item.element().isScalar() && oneIn(2)) return grid(type, budget);
  if (item.isArray()) return rows(type, budget);
  if (!item.isScalar()) return ArrayGenerator(state_).mapped(type, budget);
  switch (below(8)) {
    case 0:
    case 1:
      return neighbours(type, budget);
    case 2:
      return item.isBool() ? neighbours(type, budget) : sortedCell(type, budget);
    case 3:
      return item.isBool() ? irregular(type, budget) : tabledCell(type, budget);
    case 4:
      return irregular(type, budget);
    case 5:
      return item.isInteger() ? byDigits(type, budget) : rowSums(type, budget);
    case 6:
      return item == scalar("i64") ? searched(type, budget) : rowSums(type, budget);
    default:
      return rowSums(type, budget);
  }
}

// A loop of two arrays that start as one. Its steps may still read the initial array, and may
// overwrite its memory.
Node IdiomGenerator::sharedStarts(const Type& type, int budget) {
  static constexpr std::array<const char*, 5> kStarts = {"D, D", "D, copy D", "D[::-1], D",
                                                         "copy D, D[::-1]", "D, D"};
  static constexpr std::array<const char*, 6> kSteps = {"Q",     "P[::-1]", "$",
                                                        "M P Q", "M P D",   "M Q P"};
  Node node{type, "", {expr(type, budget - 1)}};
  const Scope scope = mark();
  const std::string d = bind(type, "d"), p = bind(type, "p"), q = bind(type, "q");
  const std::string text = std::string("(let D = $ in (loop (P, Q) = (") + pick(kStarts) +
                           ") for _t < " + std::to_string(1 + below(4)) + " do (" + pick(kSteps) +
                           ", " + pick(kSteps) + "))." + std::to_string(below(2)) + ")";
  bool is_first = true;  // the definition of D: only outer names are in scope
  for (const char c : text) {
    if (c == '$' && !std::exchange(is_first, false)) {
      node.children.push_back(expr(type, budget - 1));
    }
    if (c == 'M') {
      const Scope cell = mark();
      const std::string x = bind(type.element(), "x"), y = bind(type.element(), "y");
      node.text += "map2 (\\" + x + " " + y + " -> $)";
      node.children.push_back(expr(type.element(), budget - 2));
      leave(cell);
    } else {
      node.text += c == 'D' ? d : c == 'P' ? p : c == 'Q' ? q : std::string{c};
    }
  }
  leave(scope);
  return node;
}

// Once, or in a loop, with reads that nothing uses. The position and the step are values as well.
Node IdiomGenerator::neighbours(const Type& type, int budget) {
  static constexpr std::array<const char*, 6> kSteps = {"(-2)", "(-1)", "1", "2", "3", "(-3)"};
  const Type& item = type.element();
  const std::string a = fresh("a"), &n = type.name;
  Node node{type, "", {expr(type, budget - 1)}};
  const Scope scope = mark();
  const std::string centre = bind(item, "c"), left = bind(item, "l"), right = bind(item, "r");
  const std::string place = bind(scalar("i64"), "p"), time = bind(scalar("i64"), "t");
  const bool is_loop = oneIn(2);
  std::string cell = "let " + centre + " = " + a + "[i] let " + place + " = i let " + time + " = " +
                     (is_loop ? "step " : "0 ");
  for (const std::string& name : {left, right}) {
    const uint64_t kind = below(4);
    cell += "let " + name + " = " + neighbour(kind, a, n, pick(kSteps)) + " ";
    if (kind == 2) node.children.push_back(literal(item));
  }
  node.children.push_back(expr(item, budget - 2));
  leave(scope);
  const std::string step = "tabulate " + n + " (\\i -> " + cell + "in $)";
  node.text = is_loop ? "(loop " + a + " = $ for step < " + std::to_string(1 + below(4)) +
                            "i64 do " + step + ")"
                      : "(let " + a + " = $ in " + step + ")";
  return node;
}

// Steps on a grid whose cells know their position.
Node IdiomGenerator::grid(const Type& type, int budget) {
  static constexpr std::array<const char*, 4> kSteps = {"(-1)", "1", "(-2)", "0"};
  const Type& item = type.element().element();
  const std::string &n = type.name, &m = type.element().name, a = fresh("a");
  Node start = expr(type, budget - 1);
  const bool wraps_rows = oneIn(2), wraps_columns = oneIn(2);
  const Scope scope = mark();
  std::string cell = "let " + bind(scalar("i64"), "p") + " = i ";
  cell += "let " + bind(scalar("i64"), "p") + " = j ";
  cell += "let " + bind(scalar("i64"), "t") + " = step ";
  for (int k = 0; k < 3; ++k) {
    cell += "let " + bind(item, "c") + " = " + a + "[" +
            indexBeside(wraps_rows, "i", n, pick(kSteps)) + ", " +
            indexBeside(wraps_columns, "j", m, pick(kSteps)) + "] ";
  }
  Node value = expr(item, budget - 2);
  leave(scope);
  return {type,
          "(loop " + a + " = $ for step < " + std::to_string(1 + below(9)) + "i64 do tabulate_2d " +
              n + " " + m + " (\\i j -> " + cell + "in $))",
          {std::move(start), std::move(value)}};
}

// By insertion, each step downwards still reading where it was.
Node IdiomGenerator::sortedCell(const Type& type, int budget) {
  const Type& item = type.element();
  const std::string size = CellGenerator(state_).cellSize(), row = fresh("t");
  const Scope scope = mark();
  const std::string i = bind(scalar("i64"), "i"), j = bind(scalar("i64"), "j");
  Node value = expr(item, budget - 2);
  leave(scope);
  const std::string counter = oneIn(2) ? "" : "i64";
  const std::string sorted =
      "(loop " + row + " = copy " + row + " for a < " + size + counter +
      " - 1 do (loop (s, b) = (" + row +
      ", a) while b >= 0 && s[b] > s[b + 1] do let u = s[b] let v = s[b + 1] in (s with [b] = v "
      "with [b + 1] = u, b - 1)).0)";
  return {type,
          "(map (\\" + i + " -> let " + row + " = map (\\" + j + " -> $) (iota " + size + ") in " +
              sorted + "[" + i + " % " + size + "]) (iota " + type.name + "))",
          {std::move(value)}};
}

// Rows of a table that a cell fills one from the other, or a transposed table.
Node IdiomGenerator::tabledCell(const Type& type, int budget) {
  const Type& item = type.element();
  const std::string size = std::to_string(3 + below(3)), &t = item.name;
  const Scope scope = mark();
  const std::string i = bind(scalar("i64"), "i"), j = bind(scalar("i64"), "j");
  Node value = expr(item, budget - 2);
  leave(scope);
  const std::string last = "[" + i + " % " + size + "]";
  static constexpr std::array<const char*, 3> kMade = {
      "(loop z = z for p < N - 1 do loop z = z for w < N do z with [p + 1, w] = T.min z[p, w] z[p "
      "+ 1, (I + w) % N])",
      "(transpose (map (scan T.max T.lowest) z))",
      "(loop z = z for p < I % 5 do let z[p % N] = copy z[(p + 1) % N] in z)"};
  std::string made;
  for (const char c : std::string(pick(kMade))) {
    made += c == 'N' ? size : c == 'T' ? t : c == 'I' ? i : std::string{c};
  }
  return {type,
          "(map (\\" + i + " -> let z = tabulate_2d " + size + " " + size + " (\\" + j +
              " _ -> $) in " + made + last + last + ") (iota " + type.name + "))",
          {std::move(value)}};
}

// As many elements as the cell says.
Node IdiomGenerator::irregular(const Type& type, int budget) {
  static constexpr std::array<const char*, 3> kMax = {"4", "9", "40"};
  const Type &item = type.element(), from = elementType();
  const auto [op, neutral] = operatorOf(item);
  Node source = expr(array(type.name, from), budget - 1);
  Scope scope = mark();
  const std::string x = bind(from, "x");
  Node count = expr(scalar("i64"), budget - 2);
  const std::string j = bind(scalar("i64"), "j");
  Node value = expr(item, budget - 2);
  leave(scope);
  const std::string some = "(map (\\" + j + " -> $) (iota ($ % " + pick(kMax) + ")))";
  const std::string text = oneIn(3) ? "let s = scan " + op + " " + neutral + " " + some +
                                          " in if null s then " + neutral + " else last s"
                                    : "reduce " + op + " " + neutral + " " + some;
  return {type,
          "(map (\\" + x + " -> " + text + ") $)",
          {std::move(value), std::move(count), std::move(source)}};
}

// Of rows, of columns, of products.
Node IdiomGenerator::rowSums(const Type& type, int budget) {
  const std::string combined = combiner(type.element()), other = anySize();
  const Type &item = type.element(), row = array(other, item);
  switch (below(3)) {
    case 0:
      return {type, "(map (reduce " + combined + ") $)", {expr(array(type.name, row), budget - 1)}};
    case 1:
      return {type,
              "(map (\\c -> (reduce " + combined + " c)) (transpose $))",
              {expr(array(other, array(type.name, item)), budget - 1)}};
    default: {
      const Scope scope = mark();
      const std::string x = bind(item, "x"), y = bind(item, "y");
      Node product = expr(item, budget - 3);
      leave(scope);
      return {type,
              "(let w = $ in map (\\q -> reduce " + combined + " (map2 (\\" + x + " " + y +
                  " -> $) q w)) $)",
              {expr(row, budget - 2), std::move(product), expr(array(type.name, row), budget - 1)}};
    }
  }
}

// Sums along rows and columns, products of tables.
Node IdiomGenerator::rows(const Type& type, int budget) {
  const Type& item = type.element().element();
  if (!item.isScalar()) return ArrayGenerator(state_).mapped(type, budget);
  const auto [op, neutral] = operatorOf(item);
  const std::string combined = op + " " + neutral, &n = type.name, &m = type.element().name;
  switch (below(4)) {
    case 0:
      return {type, "(map (scan " + combined + ") $)", {expr(type, budget - 1)}};
    case 1:
      return {type,
              "(transpose (map (scan " + combined + ") (transpose $)))",
              {expr(type, budget - 1)}};
    case 2: {
      const Type row = type.element();
      const std::string r = fresh("r"), s = fresh("s");
      const Scope scope = mark();
      variables_.push_back({s, item});
      const std::string x = bind(item, "x");
      Node value = expr(item, budget - 2);
      leave(scope);
      return {type,
              "(map (\\" + r + " -> let " + s + " = reduce " + combined + " " + r + " in map (\\" +
                  x + " -> $) " + r + ") $)",
              {std::move(value), expr(type, budget - 1)}};
    }
    default: {
      if (!item.isInteger()) return ArrayGenerator(state_).rowwise(type, budget);
      const std::string k = anySize();
      return {
          type,
          "(let b = transpose $ in map (\\r -> map (\\c -> reduce (+) 0 (map2 (*) r c)) b) $)",
          {expr(array(k, array(m, item)), budget - 1), expr(array(n, array(k, item)), budget - 1)}};
    }
  }
}

// A radix sort by scans and scatters, of a few bits.
Node IdiomGenerator::byDigits(const Type& type, int budget) {
  const std::string &t = type.element().name, v = fresh("v");
  return {type,
          "(loop " + v + " = copy $ for d < " + std::to_string(1 + below(4)) +
              " do let bits = map (\\x -> i64." + t + " ((x >> " + t + ".i64 d) & 1)) " + v +
              " let zeros = map (1 -) bits let before = scan (+) 0 zeros let after = map (+ "
              "i64.sum zeros) (scan (+) 0 bits) in scatter (copy " +
              v + ") (map3 (\\b p q -> if b == 0 then p - 1 else q - 1) bits before after) " + v +
              ")",
          {expr(type, budget - 1)}};
}

// Where each would stand among sorted ones.
Node IdiomGenerator::searched(const Type& type, int budget) {
  const Type key = integerType();
  const std::string among = anySize(), s = fresh("s");
  return {type,
          "(let " + s + " = " + key.name + ".sort $ in map (\\x -> (loop (lo, hi) = (0, length " +
              s + ") while lo < hi do let mid = (lo + hi) / 2 in if " + s +
              "[mid] < x then (mid + 1, hi) else (lo, mid)).0) $)",
          {expr(array(among, key), budget - 2), expr(array(type.name, key), budget - 1)}};
}

// Two halves into one, until few are left, whose number then is a size.
Node IdiomGenerator::halvingLoop(const Type& type, int budget) {
  const Type item = elementType();
  const std::string length = fresh("l"), name = fresh("g");
  Node start = expr(array(anySize(), item), budget - 2);
  Scope scope = mark();
  const std::string x = bind(item, "x"), y = bind(item, "y");
  Node joined = expr(item, budget - 2);
  leave(scope);
  scope = mark();
  const std::string left = bind(array(length, item));
  sizes_.push_back(length);
  Node body = expr(type, budget - 1);
  leave(scope);
  const std::string of = ": []" + text(item);
  return {type,
          "(let [" + length + "] (" + left + ": [" + length + "]" + text(item) + ") = loop (" +
              name + of + ") = $ while length " + name + " > 3 do let h = length " + name +
              " / 2 in map2 (\\" + x + " " + y + " -> $) (take h " + name + ") (drop (length " +
              name + " - h) " + name + " :> [h]" + text(item) + ") in $)",
          {std::move(start), std::move(joined), std::move(body)}};
}

}  // namespace halo::fuzz
