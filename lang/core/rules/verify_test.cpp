// tests/core/broken: programs that parse but break a rule; the first line says the message.
#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "tests/golden.h"

namespace halo::core {
namespace {

std::string outcome(const std::string& text) {
  source::Files files;
  auto parsed = parse(files, files.add("test.core", text));
  if (!parsed) return "does not parse: " + parsed.error().message;
  auto verified = verify(*parsed);
  return verified ? "is valid" : verified.error().message;
}

}  // namespace

TEST_CASE("broken programs") {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/core/broken")) {
    std::string text = test::readFile(entry.path());
    CAPTURE(entry.path());
    constexpr std::string_view kPrefix = "// expect: ";
    REQUIRE(text.rfind(kPrefix, 0) == 0);
    CHECK(outcome(text) == text.substr(kPrefix.size(), text.find('\n') - kPrefix.size()));
    ++count;
  }
  CHECK(count > 20);
}

TEST_CASE("valid programs") {
  // An arm may consume an array that another arm uses; a loop may consume its `*` parameters.
  CHECK(outcome(R"(
entry main(n: i64, c: bool, xs: *[n]f32) -> ([n]f32) {
  zs: [n]f32 = match c {
    true -> {
      ys: [n]f32 = update xs[0] = 1f32 @?
      return ys }
    else -> { return xs } }
  ws: [n]f32 = loop (a: *[n]f32 = zs) for i < n do {
    b: [n]f32 = update a[i] = 2f32 @?
    return b }
  return ws })") == "is valid");
  // A map works in place on the rows of an array that it consumes, views of rows included.
  CHECK(outcome(R"(
entry main(n: i64, xs: *[n][n]f32, is: [n]i64) -> ([n][n]f32) {
  ys: [n][n]f32 = screma [n] (is, xs) map (i: i64, row: [n]f32) {
    same: [n]f32 = reshape [n] row
    zs: [n]f32 = update same[i] = 1f32 @?
    return zs }
  return ys })") == "is valid");
  CHECK(outcome(R"(
fn filter(n: i64, xs: [n]f32) -> (k: i64, [k]f32) {
  ys: [2]f32 = slice xs[0:2:1] @?
  return 2, ys }
entry main(n: i64, xs: [n]f32) -> (k: i64, [k]f32) {
  (k: i64, ys: [k]f32) = call filter (n, xs)
  zs: [k]f32 = screma [k] (ys) map (y: f32) { return 0f32 }
  return k, zs })") == "is valid");
  CHECK(outcome(R"(
entry main(n: i64, m: i64, xs: [n][m]f32, d: i64, is: [d]i64) -> ([n][m]f32, f32) {
  (ys: [n][m]f32) = stencil [n][m] (window xs clamp {(0, -1), (1, 1)}, xs, window xs clamp (is, is)) map (a: f32, b: f32, vs: [d]f32, x: f32) { return x }
  s: f32 = stencil [n][m] (window xs clamp {(0, 0)}) map (a: f32) { return a } reduce f32.max f32.ninf
  return ys, s })") == "is valid");
}

TEST_CASE("values without entry are reported, not looked up") {
  Program p;
  Function f;
  f.name = "main";
  f.body.results = {Operand(ValueId(7))};
  p.functions.push_back(f);
  auto verified = verify(p);
  REQUIRE(!verified);
  CHECK(verified.error().message == "`main` mentions a value without entry");
}

}  // namespace halo::core
