#include "cli/fuzz/mutate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace halo::fuzz {
namespace {

const std::string kProgram =
    "-- ==\n-- input { [1i64] 2i32 }\n"
    "def twice (x: i64) = x + 5\n"
    "entry main [n] (xs: *[n]i64) (k: i32) : i64 = reduce (*) 1 (map twice xs) - i64.i32 (k << "
    "5)\n";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::set<std::string> mutations() {
  std::set<std::string> all;
  for (uint64_t seed = 0; seed < 400; ++seed) all.insert(mutate(kProgram, seed));
  return all;
}

bool anyHas(const std::set<std::string>& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(), [&](const auto& text) { return has(text, part); });
}

}  // namespace

TEST_CASE("a seed decides a mutation") {
  for (uint64_t seed = 0; seed < 20; ++seed)
    CHECK(mutate(kProgram, seed) == mutate(kProgram, seed));
  CHECK(mutations().size() > 200);
}

TEST_CASE("mutations change operators and numbers, and wrap names, groups and entries") {
  const std::set<std::string> all = mutations();
  for (const std::string part :
       {"x - 5", "k >> 5", "x + 33", "(copy xs)", "(reverse (map twice xs))",
        "def main_inner [n] (xs: *[n]i64) (k: i32) : i64 =",
        "entry main [n] (xs: [n]i64) (k: i32) = ", "(main_inner (copy xs) (k + i32.i64 k'))"}) {
    CAPTURE(part);
    CHECK(anyHas(all, part));
  }
}

TEST_CASE("mutations leave test blocks, operators of reductions and neutral elements") {
  for (const std::string& text : mutations()) {
    CHECK(text.starts_with("-- ==\n-- input { [1i64] 2i32 }\n"));
    CHECK((has(text, "reduce (*) 1 ") || !has(text, "reduce (")));
  }
}

TEST_CASE("mutations leave lambdas of reductions, and neutral elements on lines of their own") {
  const std::string text = "def main (xs: []i32) = reduce (\\a b -> a + b)\n  0\n  xs\n";
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::string changed = mutate(text, seed);
    CHECK(has(changed, " + "));
    CHECK(has(changed, "\n  0\n"));
  }
}

TEST_CASE("a text without anything to change stays") {
  CHECK(mutate("-- nothing\n", 3).size() == 11);
}

}  // namespace halo::fuzz
