// Cells with memory of their own: arrays of a constant size that a cell makes, overwrites and reads
// elsewhere, its loops, scans and histograms. And scans with flags. Engines keep such arrays
// in registers and on stacks, and cells that run at once must not share them.
#include <array>

#include "cli/fuzz/array_parts.h"

namespace halo::fuzz {

// One of the constant extents; `i` at any of its places.
std::string CellGenerator::cellSize() {
  static const std::array<const char*, 6> kSizes = {"2", "3", "5", "8", "16", "17"};
  return pick(kSizes);
}

Node CellGenerator::withCells(const Type& type, int budget) {
  const Type& item = type.element();
  if (!item.isScalar()) return ArrayGenerator(state_).mapped(type, budget);
  switch (below(6)) {
    case 0:
      return overwrittenCell(type, budget);
    case 1:
      return loopedCell(type, budget);
    case 2:
      return item.isInteger() ? countedCell(type, budget) : overwrittenCell(type, budget);
    case 3:
      return wanderingCell(type, budget);
    case 4:
      return sharedElement(type, budget);
    default:
      return flagged(type, budget);
  }
}

// Written at one place for all cells, or at one of its own; read at another.
Node CellGenerator::overwrittenCell(const Type& type, int budget) {
  const Type& item = type.element();
  const std::string size = cellSize(), row = fresh("t"), place = std::to_string(below(2));
  const Scope scope = mark();
  const std::string i = bind(scalar("i64"), "i");
  Node start = expr(array(size, item), budget - 3), value = expr(item, budget - 2);
  leave(scope);
  const std::string at = oneIn(2) ? place : "(" + i + " + 1) % " + size;
  return {type,
          "(map (\\" + i + " -> let " + row + " = copy $ with [" + at + "] = $ in " + row + "[" +
              i + " % " + size + "]) (iota " + type.name + "))",
          {std::move(start), std::move(value)}};
}

// Written in a loop, also one whose end depends on the cell.
Node CellGenerator::loopedCell(const Type& type, int budget) {
  const Type& item = type.element();
  const std::string size = cellSize();
  const Scope scope = mark();
  const std::string i = bind(scalar("i64"), "i");
  Node start = expr(item, budget - 3);
  const std::string j = bind(scalar("i64"), "j"), last = bind(item, "w");
  Node value = expr(item, budget - 2);
  leave(scope);
  const std::string row = fresh("t"), end = oneIn(2) ? "20" : i + " % 7";
  const std::string to = oneIn(2) ? "0" : "(" + i + " * " + j + " + 1) % " + size;
  return {type,
          "(map (\\" + i + " -> let " + row + " = loop " + row + " = replicate " + size +
              " $ for " + j + " < " + end + " do let " + last + " = " + row + "[" + j + " % " +
              size + "] in " + row + " with [" + to + "] = $ in " + row + "[" + i + " % " + size +
              "]) (iota " + type.name + "))",
          {std::move(start), std::move(value)}};
}

// A histogram or a scan of each cell, of which it keeps one element.
Node CellGenerator::countedCell(const Type& type, int budget) {
  const Type& item = type.element();
  const std::string size = cellSize();
  const Scope scope = mark();
  const std::string i = bind(scalar("i64"), "i"), j = bind(scalar("i64"), "j");
  Node value = expr(item, budget - 3);
  leave(scope);
  const std::string values = "(map (\\" + j + " -> $) (iota " + size + "))";
  const std::string made = oneIn(2) ? "scan " + combiner(item) + " " + values
                                    : "hist " + combiner(item) + " " + size + " (map (\\" + j +
                                          " -> (" + i + " * " + j + ") % " + size + ") (iota " +
                                          size + ")) " + values;
  const std::string at = oneIn(2) ? "0" : i + " % " + size;
  return {type,
          "(map (\\" + i + " -> (" + made + ")[" + at + "]) (iota " + type.name + "))",
          {std::move(value)}};
}

// Steps until the cell itself says stop.
Node CellGenerator::wanderingCell(const Type& type, int budget) {
  const Type& item = type.element();
  Node start = expr(array(type.name, item), budget - 2);
  const Scope scope = mark();
  const std::string x = bind(item, "x"), at = bind(scalar("i64"), "k");
  Node value = expr(item, budget - 2), going = expr(scalar("bool"), budget - 3);
  leave(scope);
  const std::string y = fresh("y");
  return {type,
          "(map (\\" + y + " -> (loop (" + x + ", " + at + ") = (" + y + ", 0i64) while " + at +
              " < 5 && $ do ($, " + at + " + 1)).0) $)",
          {std::move(going), std::move(value), std::move(start)}};
}

// Cells of a loop that all read one element. Its place is a remainder by the length: where that is
// 0, no cell divides.
Node CellGenerator::sharedElement(const Type& type, int budget) {
  const Type& item = type.element();
  Node all = expr(type, budget - 1), at = expr(scalar("i64"), budget - 2);
  const Scope scope = mark();
  const std::string x = bind(item, "x"), step = bind(scalar("i64"), "t");
  Node taken = expr(scalar("bool"), budget - 3), value = expr(item, budget - 3);
  leave(scope);
  const std::string a = fresh("a"), place = fresh("k"), next = fresh("z");
  return {type,
          "(let " + a + " = $ let " + place + " = $ in loop " + next + " = " + a + " for " + step +
              " < 2 do map (\\" + x + " -> if $ then $ else " + a + "[" + place + " % " +
              type.name + "]) " + next + ")",
          {std::move(all), std::move(at), std::move(taken), std::move(value)}};
}

// A segmented scan by hand, as programs have it.
Node CellGenerator::flagged(const Type& type, int budget) {
  const std::string op = combiner(type.element());
  const size_t space = op.rfind(' ');
  const std::string function = op.substr(0, space), neutral = op.substr(space + 1);
  return {type,
          "(unzip (scan (\\(f, a) (g, b) -> (f || g, if g then b else " + function +
              " a b)) (false, " + neutral + ") (zip $ $))).1",
          {expr(array(type.name, scalar("bool")), budget - 2), expr(type, budget - 1)}};
}

}  // namespace halo::fuzz
