#include "lang/passes/simplify/simplify.h"

#include <doctest/doctest.h>

#include "lang/core/text.h"
#include "lang/core/visit.h"

namespace halo::passes {
namespace {

// x + 1 + x + 1 .., of so many statements, where c holds.
std::string branch(const std::string& name, int statements) {
  std::string text = name + ": f64 = match c { true -> {\n";
  std::string last = "x";
  for (int i = 0; i < statements; ++i) {
    const std::string next = name + "s" + std::to_string(i);
    text += next + ": f64 = f64." + (i % 2 == 0 ? "mul " : "add ") + last + " x\n";
    last = next;
  }
  return text + "return " + last + " } else -> { return 0f64 } }\n";
}

int branchesLeft(int statements) {
  source::Files files;
  const std::string text = "entry main(c: bool, x: f64) -> (f64, f64) {\n" +
                           branch("a", statements) + branch("b", statements) + "return a, b }\n";
  const auto program = core::parse(files, files.add("test.core", text));
  REQUIRE(program);
  int count = 0;
  core::visitStms(simplify(*program).functions[0].body, [&](const core::Stm& stm) {
    count += std::holds_alternative<core::Match>(stm.expr) ? 1 : 0;
  });
  return count;
}

}  // namespace

// The reduction of large arguments, which a sine and a cosine share, has about 600.
TEST_CASE("equal branches of many scalar statements are one") {
  CHECK(branchesLeft(800) == 1);
  CHECK(branchesLeft(2000) == 2);
}

}  // namespace halo::passes
