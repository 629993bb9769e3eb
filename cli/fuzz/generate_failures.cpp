// Failures that must be neither lost nor invented: in unused results, in functions without calls,
// and in code that may not run (branches, loops, maps, behind `&&` and `||`). Not in operators of
// `reduce` and `scan`: how often they are applied is the engine's choice.
#include <array>

#include "cli/fuzz/general_parts.h"

namespace halo::fuzz {

// An i64, or a failure, depending on the inputs.
Node FailureGenerator::failure(int budget) {
  const Type number = scalar("i64");
  const auto some = [&] { return expr(number, budget - 2); };
  const std::string size = anySize(), name = fresh("e");
  const auto list = [&] { return expr(array(size, number), budget - 2); };
  switch (below(13)) {
    case 0:
      return {number, oneIn(2) ? "(7 / ($ % 3))" : "(7 %% ($ % 2))", {some()}};
    case 1:
      return {number, "(2 ** ($ % 5 - 1))", {some()}};
    case 2:
      return {number, "(let " + name + " = $ in " + name + "[$])", {list(), some()}};
    case 3:
      return {number,
              "(i64.sum (let " + name + " = $ in " + name + "[$:$]))",
              {list(), some(), some()}};
    case 4:
      return {number,
              "(length (let " + name + " = $ in " + name + "[$:$:$]))",
              {list(), some(), some(), some()}};
    case 5:
      return {number,
              "(let " + name + " = copy $ in i64.sum (" + name + " with [$] = $))",
              {list(), some(), some()}};
    case 6:
      if (oneIn(2)) return {number, "(i64.sum (iota ($ % 4 - 1)))", {some()}};
      return {number, "(length (replicate ($ % 4 - 1) $))", {some(), some()}};
    case 7:
      return {number, "(i64.sum (iota ($ % 4) :> [" + size + "]i64))", {some()}};
    case 8:
      return {number, "(assert ($ % 3 != 1) $)", {some(), some()}};
    case 9:
      if (oneIn(2)) return {number, "(length ($ % 3..<$ % 3))", {some(), some()}};
      return {number, "(i64.sum ($ % 3..$ % 5...$ % 7))", {some(), some(), some()}};
    case 10:
      return huge(budget);
    case 11:
      return {number,
              "(let " + name + " = $ %% 3 in length (unflatten (iota ($ % 6) :> [" + name +
                  " * 2]i64)))",
              {some(), some()}};
    default:
      return {number, "(risky $)", {some()}};
  }
}

// 2^60 times a small number, the first size that is too large, or less than nothing.
Node FailureGenerator::huge(int budget) {
  const Type number = scalar("i64");
  const auto some = [&] { return expr(number, budget - 2); };
  switch (below(9)) {
    case 4:
    case 5:
      return farRange(budget);
    case 7:
      return endless(budget);
    case 8:
      return unseenSizes(budget);
    case 6:  // lengths whose sum wraps
      return {number,
              "(let (_, _, _, w, _) = flatmap (\\v : ([]i64, ()) -> (iota (v % 2 * ($ % 3 * "
              "4611686018427387904)), ())) (iota ($ % 6)) in length w)",
              {some(), some()}};
    case 0:
      return {number, "(length (iota ($ %% 3 * 1152921504606846976)))", {some()}};
    case 1:
      return {number, "(length (replicate ($ %% 3 * 1152921504606846976) ()))", {some()}};
    case 2:
      return {
          number,
          "(length (flatten (replicate ($ % 2 * 1073741824) (replicate ($ % 2 * 1073741824) ()))))",
          {some(), some()}};
    default:
      return {number, "(length (0i64..<$ % 3 * 4611686018427387904))", {some()}};
  }
}

// A loop that would take longer than anyone waits, but fails.
Node FailureGenerator::endless(int budget) {
  const Type number = scalar("i64");
  const std::string name = fresh("r");
  Node node{number,
            "(loop " + name + " = $ for _q < u64.i64 ($ % 3 * 4611686018427387904) do assert (" +
                name + " < 9) (i64.max " + name + " 0 + 1 + $ % 2))",
            {}};
  for (int i = 0; i < 3; ++i) node.children.push_back(expr(number, budget - 2));
  return node;
}

// Of rows that there are none of, and of the payload of another constructor.
Node FailureGenerator::unseenSizes(int budget) {
  const Type number = scalar("i64");
  const std::string size = fresh("s"), none = fresh("e");
  const bool is_sum = oneIn(2);
  const std::string type = is_sum ? "(#u | #v [" + size + "]i64)" : "[0][" + size + "]i64";
  const std::string count = is_sum ? "[" + none + "]" : "(transpose " + none + ")";
  return {number,
          "(let " + size + " = $ % 4 - 1 let " + none + ": " + type + " = " +
              (is_sum ? "#u" : "[]") + " in length " + count + ")",
          {expr(number, budget - 2)}};
}

// A few steps as long as numbers are; one may wrap.
Node FailureGenerator::farRange(int budget) {
  const Type number = scalar("i64");
  static const std::array<const char*, 3> kEnds = {"...", "..<", "..>"};
  const std::string convert = oneIn(2) ? "u64.i64 " : "";
  const std::string far = convert + "($ % 4 * 4611686018427387904 + $ % 2)";
  Node node{number, "(length (" + far + ".." + far + pick(kEnds) + far + "))", {}};
  for (int i = 0; i < 6; ++i) node.children.push_back(expr(number, budget - 3));
  return node;
}

// An expression of the type, with something in it that may fail, or would if it ran.
Node FailureGenerator::failing(const Type& type, int budget) {
  const Type number = scalar("i64"), flag = scalar("bool");
  const std::string name = fresh("u");
  const auto some = [&] { return expr(number, budget - 2); };
  const auto rest = [&] { return expr(type, budget - 1); };
  const auto whether = [&] { return expr(flag, budget - 2); };
  // The code in a function of one number, which may not run.
  const auto inside = [&] {
    const Scope scope = mark();
    Node made{number, "(\\" + bind(number, "x") + " -> $)", {}};
    made.children.push_back(failure(budget - 1));
    leave(scope);
    return made;
  };
  switch (below(16)) {
    case 0:
      return {type, "(let " + name + " = $ in $)", {failure(budget), rest()}};
    case 1:
      return {type, "($, $).1", {failure(budget), rest()}};
    case 2:
      return {type, "(if $ && $ == 2 then $ else $)", {whether(), failure(budget), rest(), rest()}};
    case 3:
      return {type, "(if $ || $ == 2 then $ else $)", {whether(), failure(budget), rest(), rest()}};
    case 4:
      return {type,
              "(if $ then (let " + name + " = $ in $) else $)",
              {whether(), failure(budget), rest(), rest()}};
    case 5:  // a map whose elements have no readers
      return {type,
              "(let " + name + " = map $ (iota (i64.max 0 ($ % 4 - 1))) in $)",
              {inside(), some(), rest()}};
    case 6:
      return {type,
              "(if i64.sum (map $ (iota (i64.max 0 ($ % 4 - 1)))) > 3 then $ else $)",
              {inside(), some(), rest(), rest()}};
    case 7:
      return {
          type,
          "(if length (filter (\\w -> $ w > 1) (iota (i64.max 0 ($ % 4 - 1)))) > 0 then $ else $)",
          {inside(), some(), rest(), rest()}};
    case 8:
      return {type,
              "(let " + name + " = loop w = $ for _i < $ % 3 - 1 do $ w in $)",
              {some(), some(), inside(), rest()}};
    case 9:
      return {type,
              "(let " + name +
                  " = (loop (w, j) = ($, 0i64) while j < 3 && w % 3 == 1 do ($ w, j + 1)).0 in $)",
              {some(), inside(), rest()}};
    case 10:
      return {type,
              "(let " + name + " = $ in if $ then $ else let " + name + "r = " + name + " 3 in $)",
              {inside(), whether(), rest(), rest()}};
    case 11:
      return {
          type,
          "(let " + name + " = map (\\w -> i64.sum (map $ (iota (w % 3)))) (iota ($ % 4)) in $)",
          {inside(), some(), rest()}};
    case 12:
      return {type,
              "(match ($ % 3) case 0 -> $ case 1 -> (let " + name + " = $ in $) case _ -> $)",
              {some(), rest(), failure(budget), rest(), rest()}};
    case 13:
      return {type,
              "(let " + name +
                  " = (let js = iota ($ % 3) in scatter (replicate 3 0i64) js "
                  "(map $ js)) in $)",
              {some(), inside(), rest()}};
    case 14:
      return {type,
              "(let " + name + " = tabulate_2d ($ % 3) ($ % 3) (\\w v -> $ (w + v)) in $)",
              {some(), some(), inside(), rest()}};
    default:
      return {type,
              "(let " + name + " = map2 (\\w v -> $ w + $ v) (iota 2) (iota 2) in if " + name +
                  "[0] == 1 then $ else $)",
              {inside(), inside(), rest(), rest()}};
  }
}

}  // namespace halo::fuzz
