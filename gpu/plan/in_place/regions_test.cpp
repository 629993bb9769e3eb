// Views of an array: where they lie, and whether they are disjoint.
#include "gpu/plan/in_place/regions.h"

#include <doctest/doctest.h>

#include "lang/core/text.h"

namespace halo::gpu {
namespace {

// Views of `a`, by name.
class Views {
 public:
  explicit Views(const std::string& stms) {
    source::Files files;
    auto parsed = core::parse(files, files.add("test.core", R"(
entry main(n: i64, k: i64, a: [n][n]i64) -> (i64) {
  k1: i64 = i64.add k 1i64
  m: i64 = i64.sub n k1
)" + stms + R"(
  return n })"));
    REQUIRE_MESSAGE(parsed, (parsed ? "" : parsed.error().message));
    program_ = std::move(*parsed);
    for (const core::Stm& stm : program_.functions[0].body.stms) define(stm, definitions_);
  }

  Region of(const std::string& name) const {
    const auto region = regionOf(program_, find(name), find("a"), definitions_);
    REQUIRE_MESSAGE(region, name);
    return *region;
  }
  bool hasNone(const std::string& name) const {
    return !regionOf(program_, find(name), find("a"), definitions_);
  }
  bool apart(const std::string& x, const std::string& y) const {
    const bool are_apart = areApart(of(x).dims, of(y).dims, definitions_);
    CHECK(are_apart == areApart(of(y).dims, of(x).dims, definitions_));
    return are_apart;
  }
  bool same(const std::string& x, const std::string& y) const {
    return areSame(of(x), of(y), definitions_);
  }

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
  DefiningExprs definitions_;
};

TEST_CASE("rows and slices are apart where one ends before the other begins") {
  const Views views(R"(
  row: [n]i64 = index a[k]
  next: [n]i64 = index a[k1]
  front: [k][n]i64 = slice a[0i64:k:1, 0i64:n:1]
  until: [k1][n]i64 = slice a[0i64:k1:1, 0i64:n:1]
  behind: [m][n]i64 = slice a[k1:m:1, 0i64:n:1]
  down: [m][n]i64 = slice a[k1:m:-1, 0i64:n:1])");
  CHECK(views.apart("row", "next"));
  CHECK(views.apart("row", "front"));
  CHECK(views.apart("row", "behind"));
  CHECK(views.apart("until", "behind"));
  CHECK_FALSE(views.apart("until", "row"));
  CHECK_FALSE(views.apart("next", "behind"));
  CHECK_FALSE(views.apart("row", "down"));
}

TEST_CASE("columns are rows of the turned array") {
  const Views views(R"(
  turned: [n][n]i64 = rearrange (1, 0) a
  column: [n]i64 = index turned[k]
  below: [m]i64 = slice column[k1:m:1]
  row: [n]i64 = index a[k]
  block: [m][m]i64 = slice a[k1:m:1, k1:m:1]
  other: [m][m]i64 = slice turned[k1:m:1, k1:m:1])");
  CHECK(views.apart("below", "row"));
  CHECK(views.apart("below", "block"));
  CHECK_FALSE(views.apart("column", "row"));
  CHECK(views.same("block", "block"));
  CHECK_FALSE(views.same("block", "other"));
  CHECK_FALSE(views.same("below", "row"));
}

TEST_CASE("parts of parts have no region") {
  const Views views(R"(
  behind: [m][n]i64 = slice a[k1:m:1, 0i64:n:1]
  row: [n]i64 = index behind[k]
  flat: [n]i64 = reshape [n] row)");
  CHECK(views.hasNone("row"));
  CHECK(views.hasNone("flat"));
}

}  // namespace
}  // namespace halo::gpu
