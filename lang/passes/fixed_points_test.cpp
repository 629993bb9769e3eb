#include "lang/passes/fixed_points.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace halo::passes {
namespace {

int calls = 0;

core::Program countCall(const core::Program& program) {
  ++calls;
  return program;
}

core::Program addValue(const core::Program& program) {
  core::Program more = program;
  more.add("unused", {});
  return more;
}

std::vector<std::string> simplified;

std::vector<bool> nameFirst(core::Program& program, const std::vector<bool>& wanted) {
  std::vector<bool> changed(wanted.size(), false);
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i]) continue;
    simplified.push_back(program.functions[i].name);
    changed[i] = program.functions[i].params.size() == 1;
    if (changed[i]) program.functions[i].params.clear();
  }
  return changed;
}

core::Program changeSecond(const core::Program& program) {
  core::Program changed = program;
  changed.functions[1].is_entry = true;
  return changed;
}

const PassRow kCount = {"count", "leaves the program as it is", countCall};
const PassRow kAdd = {"add", "changes the program", addValue};
const PassRow kEach = {"each", "changes functions with a parameter", countCall, nameFirst};
const PassRow kSecond = {"second", "changes the second function", changeSecond};

}  // namespace

TEST_CASE("a pass that left the program as it is runs again behind a change only") {
  calls = 0;
  int rows = 0;
  RunOptions options;
  options.after = [&](const PassRow&, double, const core::Program&) { ++rows; };
  const core::Program program = run({kCount, kCount, kAdd, kCount, kCount, kAdd}, {}, options);
  CHECK(calls == 2);
  CHECK(rows == 6);
  CHECK(program.values.size() == 2);
}

TEST_CASE("a pass that changes the program runs each time") {
  CHECK(run({kAdd, kAdd, kAdd}, {}).values.size() == 3);
}

TEST_CASE("a pass for each function runs on those that changed") {
  simplified.clear();
  core::Program program;
  for (const char* name : {"f", "g", "h"}) {
    core::Function function;
    function.name = name;
    program.functions.push_back(function);
  }
  program.functions[2].params = {program.add("x", {})};
  run({kEach, kEach, kEach, kSecond, kEach, kEach}, program);
  CHECK(simplified == std::vector<std::string>{"f", "g", "h", "h", "g"});
}

}  // namespace halo::passes
