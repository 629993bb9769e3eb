// Statements that stand once, and those that stand for each cell, by kind.
#include "lang/core/jam/jam.h"

#include <doctest/doctest.h>

#include "lang/core/text.h"

namespace halo::core {
namespace {

// The text of a cell of three, which differ in `x` and in the row `xs`.
std::string jammed(const std::string& cell) {
  source::Files files;
  auto parsed = core::parse(files, files.add("test.core", R"(
entry main(n: i64, c: bool, y: f32, ys: [n]f32, rows: [n][n]f32, vs: [n]f32) -> ([n]f32) {
  zs: [n]f32 = screma [n] (rows, vs) map (xs: [n]f32, x: f32) {
)" + cell + R"(
    return r }
  return zs })"));
  REQUIRE_MESSAGE(parsed, (parsed ? "" : parsed.error().message));
  auto& map = std::get<core::Screma>(parsed->functions[0].body.stms[0].expr).map;
  CellNames names(3);
  for (core::ValueId param : map.params) {
    for (core::ValueId& name : names[param]) {
      name = parsed->values.add(core::ValueInfo(parsed->values[param]));
    }
  }
  core::Body made = jam(*parsed, map.body, names);
  CHECK(made.results.size() == 3 * map.body.results.size());
  std::string text;
  for (const core::Stm& stm : made.stms) text += core::print(*parsed, stm);
  return text;
}

int count(const std::string& text, const std::string& word) {
  int found = 0;
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST_CASE("a statement stands once for the cells whose operands are the same") {
  const std::string text = jammed("a: f32 = f32.add y 1f32\nr: f32 = f32.mul a x");
  CHECK(count(text, "f32.add") == 1);
  CHECK(count(text, "f32.mul") == 3);
}

TEST_CASE("a node over elements in common reduces once for each cell") {
  const std::string text = jammed(R"(
    r: f32 = screma [n] (ys, xs) map (a: f32, b: f32) {
      d: f32 = f32.sub a y
      p: f32 = f32.mul d b
      return p } reduce f32.add 0f32)");
  CHECK(count(text, "screma") == 1);
  CHECK(count(text, "f32.sub") == 1);
  CHECK(count(text, "f32.mul") == 3);
  CHECK(count(text, "reduce f32.add") == 3);
}

TEST_CASE("nodes of other widths stand for each cell") {
  const std::string text = jammed(R"(
    w: i64 = i64.of_f32 x
    is: [w]i64 = iota i64 [w] 0i64 1i64
    s: i64 = screma [w] (is) reduce i64.add 0i64
    r: f32 = f32.of_i64 s)");
  CHECK(count(text, "screma") == 3);
}

TEST_CASE("cells take a branch in common together, and return what they have in common once") {
  const std::string text = jammed(R"(
    (r: f32, s: f32) = match c {
      true -> { t: f32 = index ys[0i64]; u: f32 = f32.mul t x; return u, t }
      else -> { return 0f32, y } })");
  CHECK(count(text, "match") == 1);
  CHECK(count(text, "index") == 1);
  CHECK(count(text, "f32.mul") == 3);
  CHECK(count(text, "0f32, 0f32, 0f32, y") == 1);
}

TEST_CASE("branches of their own stand for each cell") {
  const std::string text = jammed(R"(
    d: bool = f32.lt x y
    r: f32 = match d { true -> { return x } else -> { return y } })");
  CHECK(count(text, "match") == 3);
}

}  // namespace
}  // namespace halo::core
