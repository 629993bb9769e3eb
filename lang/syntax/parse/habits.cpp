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
  if (found != "=") return "";
  return "a name for a value is `let x = 1 in x + 2`, an array with another element "
         "`xs with [i] = 1`";
}

std::string helpBeforeCloser(std::string_view closer, std::string_view found) {
  if (closer == "]" && found == "for") return "for each element: `map (\\x -> x * x) xs`";
  if (closer == "}" && found == ":") return "the value of a field is written `{a = 1}`";
  return "";
}

std::string helpForCase() {
  return "each case begins with `case`: `match x case 0 -> 1 case _ -> 2`";
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
