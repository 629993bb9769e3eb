// Each kind of statement: the variance of its results.
#include "gpu/plan/nests/variance.h"

#include <doctest/doctest.h>

#include <optional>

#include "lang/core/text.h"

namespace halo::gpu {
namespace {

// The nest is the entry's first statement; its parameters are the cell's.
class Nest {
 public:
  explicit Nest(const std::string& cell) {
    source::Files files;
    auto parsed = core::parse(files, files.add("test.core", R"(
entry main(flag: bool, k: i64, w: i64, ws: [k]i64, cs: [w]i64) -> ([w]i64) {
  ys: [w]i64 = screma [w] (cs) map (c: i64) {
)" + cell + R"(
    return c }
  return ys })"));
    REQUIRE_MESSAGE(parsed, (parsed ? "" : parsed.error().message));
    program_ = std::move(*parsed);
    const auto& nest = std::get<core::Screma>(program_.functions[0].body.stms[0].expr);
    map_.emplace(program_);
    map_->bind(nest.map.params, Variance::kGroup);
    map_->add(nest.map.body);
  }

  Variance of(const std::string& name) const { return map_->of(find(name)); }
  Variance ofShape(const std::string& name) const { return map_->ofShape(find(name)); }

 private:
  core::ValueId find(const std::string& name) const {
    core::ValueId found;
    for (size_t i = 0; i < program_.values.size(); ++i) {
      if (program_.values[core::ValueId(i)].name == name) found = core::ValueId(i);
    }
    REQUIRE_MESSAGE(found.valid(), name);
    return found;
  }

  core::Program program_;
  std::optional<VarianceMap> map_;
};

TEST_CASE("a value is as its operands are, wherever it is bound") {
  Nest nest(R"(
    a: i64 = i64.add k 1
    b: i64 = i64.add c a
    is: [a]i64 = iota i64 [a] 0 1
    js: [b]i64 = iota i64 [b] 0 1
    e: i64 = index ws[a] @?)");
  CHECK(nest.of("a") == Variance::kLaunch);
  CHECK(nest.of("e") == Variance::kLaunch);
  CHECK(nest.of("b") == Variance::kGroup);
  CHECK(nest.ofShape("is") == Variance::kLaunch);
  CHECK(nest.ofShape("js") == Variance::kGroup);
}

TEST_CASE("elements differ by lane, what a node gives as a whole does not") {
  Nest nest(R"(
    s: i64 = screma [k] (ws) map (x: i64) { m: i64 = i64.mul x 2; return m } reduce i64.add 0
    ts: [k]i64 = screma [k] (ws) map (y: i64) { z: i64 = i64.add y c; return z })");
  CHECK(nest.of("s") == Variance::kLaunch);
  CHECK(nest.of("m") == Variance::kLane);
  CHECK(nest.of("ts") == Variance::kGroup);
  CHECK(nest.of("z") == Variance::kLane);
}

TEST_CASE("a match joins its scrutinee") {
  Nest nest(R"(
    p: i64 = match flag { true -> { return k } else -> { return 1 } }
    odd: bool = i64.lt c 5
    q: i64 = match odd { true -> { return k } else -> { return 1 } }
    r: i64 = match flag { true -> { return c } else -> { return 1 } })");
  CHECK(nest.of("p") == Variance::kLaunch);
  CHECK(nest.of("q") == Variance::kGroup);
  CHECK(nest.of("r") == Variance::kGroup);
}

TEST_CASE("a loop joins what it carries, and how often it runs") {
  Nest nest(R"(
    (a: i64, b: i64, d: i64) = loop (a0: i64 = 1, b0: i64 = 1, d0: i64 = 1) for i < k do {
      a1: i64 = i64.mul a0 2
      b1: i64 = i64.add b0 d0
      d1: i64 = i64.add d0 c
      return a1, b1, d1 }
    e: i64 = loop (e0: i64 = 1) for j < c do { e1: i64 = i64.add e0 j; return e1 }
    less: bool = i64.lt 1 k
    (f: i64, go: bool) = loop (f0: i64 = 1, go0: bool = less) while go0 do {
      f1: i64 = i64.mul f0 2
      go1: bool = i64.lt f1 k
      return f1, go1 })");
  CHECK(nest.of("a") == Variance::kLaunch);
  CHECK(nest.of("b0") == Variance::kGroup);
  CHECK(nest.of("b") == Variance::kGroup);
  CHECK(nest.of("d") == Variance::kGroup);
  CHECK(nest.of("e") == Variance::kGroup);
  CHECK(nest.of("f") == Variance::kLaunch);
}

}  // namespace
}  // namespace halo::gpu
