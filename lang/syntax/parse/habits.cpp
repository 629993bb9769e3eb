#include "lang/syntax/parse/habits.h"

#include <algorithm>
#include <array>

namespace halo::syntax {
namespace {

constexpr std::array<std::string_view, 12> kDefiningWords = {
    "auto", "const",    "define", "float", "fn",    "fun",
    "func", "function", "int",    "proc",  "value", "var",
};

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

bool isDefiningWord(std::string_view word) {
  return std::find(kDefiningWords.begin(), kDefiningWords.end(), word) != kDefiningWords.end();
}

}  // namespace halo::syntax
