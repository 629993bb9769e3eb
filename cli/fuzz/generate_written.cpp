// More idioms of written programs: expansions, bits, prefixes, flags by hand, rows of a history.
// Few long rows, windows, places of extrema, records, abstract types.
#include <array>

#include "cli/fuzz/array_parts.h"

namespace halo::fuzz {

Node WrittenGenerator::written(const Type& type, int budget) {
  const Type& item = type.element();
  if (item.isArray()) return history(type, budget);
  if (!item.isScalar()) {
    return oneIn(3) ? expanded(type, budget) : ArrayGenerator(state_).mapped(type, budget);
  }
  if (item == scalar("i64") && oneIn(3)) {
    return oneIn(2) ? places(type, budget) : abstracted(type, budget);
  }
  switch (below(9)) {
    case 0:
      return expanded(type, budget);
    case 1:
      return item.isInteger() ? bits(type, budget) : byFlags(type, budget);
    case 2:
      return prefixed(type, budget);
    case 3:
      return byFlags(type, budget);
    case 4:
      return longRows(type, budget);
    case 5:
      return item.isInteger() ? windows(type, budget) : records(type, budget);
    case 6:
      return halves(type, budget);
    case 7:
      return records(type, budget);
    default:
      return copies(type, budget);
  }
}

// As many of each element as it says, each knowing its number.
Node WrittenGenerator::expanded(const Type& type, int budget) {
  const Type &item = type.element(), from = elementType();
  const std::string& n = type.name;
  Node source = expr(array(anySize(), from), budget - 2);
  Node count = lambda({from}, scalar("i64"), budget - 3);
  Node made = lambda({from, scalar("i64")}, item, budget - 2);
  return {type,
          "(take " + n + " (expandBy $ $ $ ++ replicate " + n + " $))",
          {std::move(count), std::move(made), std::move(source), leaf(item)}};
}

Node WrittenGenerator::bits(const Type& type, int budget) {
  const Type& item = type.element();
  const std::string& t = item.name;
  const Scope scope = mark();
  const std::string x = bind(item, "x"), i = bind(scalar("i64"), "i");
  Node other = expr(item, budget - 2);
  leave(scope);
  const std::string at = "(i32.i64 (" + i + " % i64.i32 " + t + ".num_bits))";
  return {type,
          "(map2 (\\" + x + " " + i + " -> " + t + ".set_bit " + at + " " + x + " (" + t +
              ".get_bit (" + std::to_string(below(8)) + ") $)) $ (iota " + type.name + "))",
          {std::move(other), expr(type, budget - 1)}};
}

// The neutral element stands in front of a scan.
Node WrittenGenerator::prefixed(const Type& type, int budget) {
  const auto [op, neutral] = operatorOf(type.element());
  const std::string scanned = "([" + neutral + "] ++ scan " + op + " " + neutral + " $)";
  const std::string as = " :> " + text(type) + ")";
  static constexpr std::array<const char*, 3> kParts = {"(take N S", "(init S", "((S)[0:N]"};
  std::string made;
  for (const char c : std::string(pick(kParts))) {
    made += c == 'N' ? type.name : c == 'S' ? scanned : std::string{c};
  }
  return {type, made + as, {expr(type, budget - 1)}};
}

// Scans and sums of segments whose flags the program computes.
Node WrittenGenerator::byFlags(const Type& type, int budget) {
  const auto [op, neutral] = operatorOf(type.element());
  const std::string &n = type.name, v = fresh("v");
  Node flag = lambda({scalar("i64")}, scalar("bool"), budget - 2);
  const std::string flags = "(map $ (iota " + n + "))";
  if (oneIn(2)) {
    return {type,
            "(segScan " + op + " " + neutral + " (zip $ " + flags + "))",
            {expr(type, budget - 1), std::move(flag)}};
  }
  return {type,
          "(let " + v + " = segReduce " + op + " " + neutral + " " + flags + " $ in (" + v +
              " ++ replicate (" + n + " - length " + v + ") $) :> " + text(type) + ")",
          {std::move(flag), expr(type, budget - 1), leaf(type.element())}};
}

// Each row from the one before, or from a state beside the table.
Node WrittenGenerator::history(const Type& type, int budget) {
  const Type& row = type.element();
  const std::string h = fresh("h"), r = fresh("r"), k = fresh("k");
  const Scope scope = mark();
  const std::string x = bind(row.element(), "x"), time = bind(scalar("i64"), "t");
  Node step = expr(row.element(), budget - 2);
  leave(scope);
  const std::string next = "let " + time + " = " + k + " in map (\\" + x + " -> $) ";
  if (oneIn(2)) {
    return {type,
            "(loop " + h + " = copy $ for " + k + " < " + type.name + " do let " + r + " = (" +
                next + h + "[i64.max 0 (" + k + " - 1)]) in " + h + " with [" + k + "] = " + r +
                ")",
            {expr(type, budget - 1), std::move(step)}};
  }
  return {type,
          "(loop (" + r + ", " + h + ") = ($, copy $) for " + k + " < " + type.name + " do let " +
              r + " = (" + next + r + ") in (" + r + ", " + h + " with [" + k + "] = " + r + ")).1",
          {expr(row, budget - 1), expr(type, budget - 1), std::move(step)}};
}

// Sums of an array with itself, moved.
Node WrittenGenerator::longRows(const Type& type, int budget) {
  const Type &item = type.element(), from = scalarType();
  const auto [op, neutral] = operatorOf(item);
  const std::string count = anySize(), w = fresh("w"), i = fresh("i"), lag = fresh("l");
  Node source = expr(array(count, from), budget - 1);
  const Scope scope = mark();
  const std::string x = bind(from, "x"), y = bind(from, "y");
  Node product = expr(item, budget - 3);
  leave(scope);
  const std::string length = oneIn(2) ? count : "(i64.max 0 (" + count + " - " + lag + "))";
  return {type,
          "(let " + w + " = $ in map (\\" + lag + " -> reduce " + op + " " + neutral + " (map (\\" +
              i + " -> let " + x + " = " + w + "[" + i + "] let " + y + " = " + w + "[(" + i +
              " + " + lag + ") % " + count + "] in $) (iota " + length + "))) (iota " + type.name +
              "))",
          {std::move(source), std::move(product)}};
}

// A filter's answer to a signal.
Node WrittenGenerator::windows(const Type& type, int budget) {
  const std::string taps = std::to_string(2 + below(4)), v = fresh("v"), c = fresh("c");
  const Type coefficients = array(taps, type.element());
  return {type,
          "(let " + c + " = $ let " + v + " = $ ++ replicate " + taps + " $ in map (\\i -> " +
              type.element().name + ".sum (map2 (*) " + c + " (" + v + "[i:i + " + taps + "] :> " +
              text(coefficients) + "))) (iota " + type.name + "))",
          {expr(coefficients, budget - 2), expr(type, budget - 1), leaf(type.element())}};
}

// The operator reads an array by its operands, and fails on neutral ones.
Node WrittenGenerator::places(const Type& type, int budget) {
  const Type key = integerType();
  const std::string w = fresh("w"), &n = type.name;
  const std::string op = "(\\i j -> if i < 0 || " + w + "[j] > " + w + "[i] || (" + w +
                         "[j] == " + w + "[i] && j < i) then j else i) (-1)";
  static constexpr std::array<const char*, 3> kUses = {
      "scan OP (iota N)",
      "map (\\k -> reduce OP (filter (\\i -> i % 3 == k % 3) (iota N))) (iota N)",
      "reduce_by_index (map (\\k -> k) (iota N)) OP (map (\\i -> i * i % 5) (iota N)) (iota N)"};
  std::string use;
  const std::string text = pick(kUses);
  for (size_t at = 0; at < text.size(); ++at) {
    const bool is_op = text.compare(at, 2, "OP") == 0;
    use += is_op ? op : text[at] == 'N' ? n : std::string{text[at]};
    at += is_op ? 1 : 0;
  }
  return {type, "(let " + w + " = $ in " + use + ")", {expr(array(n, key), budget - 1)}};
}

// Arrays of records, with a field replaced.
Node WrittenGenerator::records(const Type& type, int budget) {
  const Type &item = type.element(), other = scalarType();
  const Type record{Type::Kind::kRecord, "", {item, other}};
  const std::string r = fresh("r"), a = field(0), b = field(1);
  Node made = expr(array(type.name, record), budget - 1);
  const Scope scope = mark();
  const std::string x = bind(item, "x"), y = bind(other, "y");
  Node first = expr(item, budget - 2), second = expr(other, budget - 2);
  leave(scope);
  const std::string open = "let " + x + " = " + r + "." + a + " let " + y + " = " + r + "." + b;
  return {type,
          "(map (." + a + ") (map (\\(" + r + ": " + text(record) + ") -> " + open + " in " + r +
              " with " + a + " = $) (map (\\(" + r + ": " + text(record) + ") -> " + open +
              " in {" + a + " = " + x + ", " + b + " = $}) $)))",
          {std::move(first), std::move(second), std::move(made)}};
}

// Values of a type that a module hides.
Node WrittenGenerator::abstracted(const Type& type, int budget) {
  static constexpr std::array<const char*, 3> kUses = {
      "(map (\\x -> stack.sum (stack.push x (stack.push 2 stack.empty))) $)",
      "(map stack.sum (loop s = map (\\x -> stack.push x stack.empty) $ for t < 3i64 do map "
      "(stack.push t) s))",
      "(map stack.sum (scan stack.join stack.empty (map (\\x -> stack.push x stack.empty) $)))"};
  return {type, pick(kUses), {expr(type, budget - 1)}};
}

// Through f16 and back, in steps that f16 holds.
Node WrittenGenerator::halves(const Type& type, int budget) {
  const Type& item = type.element();
  if (item.isBool()) return byFlags(type, budget);
  const std::string to = "f16." + item.name, back = item.name + ".f16";
  if (item == scalar("f16")) return prefixed(type, budget);
  return {type,
          "(map (\\x -> " + back + " (f16.abs (" + to + " x) * 0.5f16 + 0.25f16)) $)",
          {expr(type, budget - 1)}};
}

// As many copies as the element says, and what is left of them.
Node WrittenGenerator::copies(const Type& type, int budget) {
  const Type& item = type.element();
  const auto [op, neutral] = operatorOf(item);
  const Scope scope = mark();
  const std::string i = bind(scalar("i64"), "i");
  Node count = expr(scalar("i64"), budget - 2), value = expr(item, budget - 2);
  Node kept = lambda({item}, scalar("bool"), budget - 3);
  leave(scope);
  return {type,
          "(map (\\" + i + " -> reduce " + op + " " + neutral +
              " (filter $ (replicate ($ % 7) $ ++ [" + neutral + "]))) (iota " + type.name + "))",
          {std::move(kept), std::move(count), std::move(value)}};
}

}  // namespace halo::fuzz
