#include "cli/fuzz/iteration_depth.h"

#include <doctest/doctest.h>

namespace halo::fuzz {
namespace {

const Type kElement = scalar("i64");
const Type kRow = array("n", kElement);

int depthOf(const std::string& text, std::vector<Node> children, const Type& type = kRow) {
  Program program;
  program.helpers = {{"def h1 [n] (p: [n]i64): [n]i64 ", {kRow, "(i64.sort p)", {}}}};
  program.results = {{type, text, std::move(children)}};
  return iterationDepth(program);
}

}  // namespace

TEST_CASE("iterations of generated programs: lambdas and bodies of loops") {
  const Node element{kElement, "1", {}}, row{kRow, "(iota n)", {}};
  CHECK(depthOf("k", {}, kElement) == 0);
  CHECK(depthOf("(map (\\x -> $) $)", {element, row}) == 1);
  CHECK(depthOf("(map (\\x -> reduce (+) 0 $) $)", {row, row}) == 2);
  CHECK(depthOf("(loop a = $ for i < n do $)", {row, row}) == 2);
  CHECK(depthOf("(loop a = $ for _t < 4 do $)", {row, row}) == 1);
  CHECK(depthOf("(loop a = $ while length a > 3 do $)", {row, row}) == 1);
  CHECK(depthOf("(map (\\x -> $) $)", {{kElement, "(h1 $)[0]", {row}}, row}) == 3);
}

}  // namespace halo::fuzz
