#include "lang/syntax/parse/habits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace halo::syntax {
namespace {

constexpr std::array<std::string_view, 12> kDefiningWords = {
    "auto", "const",    "define", "float", "fn",    "fun",
    "func", "function", "int",    "proc",  "value", "var",
};
// Those that a program may well have for a name of its own.
constexpr std::array<std::string_view, 5> kLikelyNames = {"auto", "const", "proc", "value", "var"};

constexpr std::array<std::string_view, 6> kTypeWords = {"class",  "data",   "enum",
                                                        "record", "struct", "typedef"};

template <size_t kCount>
bool isIn(const std::array<std::string_view, kCount>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::string helpForComment(std::string_view found) {
  const bool is_comment = found == "/*" || found == "//" || found == "#";
  return is_comment ? "a comment begins with `--` and ends with its line" : "";
}

std::string helpBehindValue(std::string_view found) {
  if (found == "->" || found == "=>") return "a function without a name is `\\x -> x + 1`";
  if (found == ";") return "nothing ends a definition: the next one begins with `def`";
  if (found == "$") return "`f <| x` applies a function to what follows";
  if (found == "?") return "a choice between two values is `if c then a else b`";
  if (found == "|") return "a constructor begins with `#`: `type t = #a | #b i32`";
  if (found != "=") return "";
  return "a name for a value is `let x = 1 in x + 2`, an array with another element "
         "`xs with [i] = 1`";
}

std::string helpBeforeCloser(std::string_view closer, std::string_view found) {
  if (closer == "]" && found == "for") return "for each element: `map (\\x -> x * x) xs`";
  if (closer == "}" && found == ":") return "the value of a field is written `{a = 1}`";
  if (closer == "}") return "braces hold fields, `{a = 1}`; parentheses hold expressions";
  if (found == "=") return "the value stands behind the whole pattern: `(x, y) = (1, 2)`";
  return "";
}

std::string helpForExpression(std::string_view before, std::string_view found) {
  if (before == "*/") return helpForComment("/*");
  if (found == "for") return "a loop has a value: `loop sum = 0 for i < 10 do sum + i`";
  if (found == "while") return "a loop has a value: `loop x = 1 while x < 100 do 2 * x`";
  if (found == "case") return "a value is in front of its cases: `match x case 0 -> 1 case _ -> x`";
  if (before == "|" && found == "_") return helpForCase();
  if (found == ".") return "`0.5` is a number, `(.x)` a function that takes a field";
  if (found == "~") return "`!x` flips the bits of an integer";
  if (found == "...") return "`a...b` is the range from `a` to `b`, `a..<b` ends before `b`";
  return "";
}

std::string helpForKeyword(std::string_view keyword, std::string_view found) {
  if (keyword == "else") return "an `if` has a value in either case: `if c then a else b`";
  if (found == "=") return "`x == y` compares";
  if (keyword == "then") return "a choice between two values is `if c then a else b`";
  if (keyword == "in") return "what follows may use the name: `let x = 1 in x + 2`";
  return "";
}

std::string helpForCase() {
  return "each case begins with `case`: `match x case 0 -> 1 case _ -> 2`";
}

std::string helpForTypeWord(std::string_view word) {
  return isIn(kTypeWords, word)
             ? "a type is `type point = {x: f32, y: f32}` or `type t = #a | #b i32`"
             : "";
}

bool isDefiningWord(std::string_view word) { return isIn(kDefiningWords, word); }

std::string helpForDefinition(std::string_view first, std::string_view others) {
  const bool is_word = !others.empty() && isDefiningWord(first);
  const std::string whole = fmt::format("`def {}{} = ..`", first, others);
  if (!is_word) return "a definition begins with `def`: " + whole;
  const std::string rest = fmt::format("a definition begins with `def`: `def{} = ..`", others);
  const bool is_name = isIn(kLikelyNames, first);
  return is_name ? fmt::format("{}, or {} if `{}` is its name", rest, whole, first) : rest;
}

}  // namespace halo::syntax
