// Functions of more statements than are copied at once: their copies keep no calls either, unless
// there would be too many of them.
#include "lang/passes/calls/inline.h"

#include <doctest/doctest.h>

#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "lang/core/visit.h"
#include "tests/golden.h"

namespace halo::passes {
namespace {

// Adds and multiplies `operations` times.
std::string longFunction(int operations) {
  std::string text = "fn long(x_0: i32) -> (i32) {\n";
  for (int k = 1; k <= operations; ++k) {
    const std::string number = std::to_string(k);
    text += "  y_" + number + ": i32 = i32.add " + (k == 1 ? "x_0" : "y_" + std::to_string(k - 1));
    text += " " + number + "i32\n";
  }
  const std::string last = std::to_string(operations);
  return text + "  z_5000: i32 = call twice (y_" + last + ")\n  return z_5000 }\n";
}

struct Count {
  size_t statements = 0, calls = 0;
};
Count countIn(const core::Program& program) {
  Count count;
  for (const core::Function& function : program.functions) {
    core::visitStms(function.body, [&](const core::Stm& stm) {
      ++count.statements;
      if (std::holds_alternative<core::Call>(stm.expr)) count.calls++;
    });
  }
  return count;
}

TEST_CASE("what only a large function calls is inlined first") {
  const std::string small = R"(
fn square(a_6000: i32) -> (i32) { b_6001: i32 = i32.mul a_6000 a_6000; return b_6001 }
fn twice(c_6002: i32) -> (i32) { d_6003: i32 = call square (c_6002); return d_6003 }
)";
  const std::string entry =
      "entry main(e_7000: i32) -> (i32) { f_7001: i32 = call long (e_7000); return f_7001 }\n";
  source::Files files;
  auto program = core::parse(files, files.add("test.core", entry + longFunction(600) + small));
  REQUIRE(program);
  core::Program inlined = inlineCalls(*program);
  CHECK(test::verdict(core::verify(inlined)) == "valid");
  CHECK(inlined.functions.size() == 1);
  CHECK(countIn(inlined).statements == 601);
  CHECK(countIn(inlined).calls == 0);
}

// f_1 adds; each later function calls the one before it twice.
Count inlinedChain(int length) {
  std::string text = "fn f1(x_1: i32) -> (i32) { y_1000: i32 = i32.add x_1 x_1; return y_1000 }\n";
  for (int k = 2; k <= length; ++k) {
    const std::string own = std::to_string(k), before = std::to_string(k - 1);
    text += "fn f" + own + "(x_" + own + ": i32) -> (i32) {\n";
    text += "  y_" + std::to_string(1000 + k) + ": i32 = call f" + before + " (x_" + own + ")\n";
    text += "  z_" + std::to_string(2000 + k) + ": i32 = call f" + before + " (y_" +
            std::to_string(1000 + k) + ")\n  return z_" + std::to_string(2000 + k) + " }\n";
  }
  text += "entry main(e_7000: i32) -> (i32) { r_7001: i32 = call f" + std::to_string(length) +
          " (e_7000)\n  return r_7001 }\n";
  source::Files files;
  auto program = core::parse(files, files.add("test.core", text));
  REQUIRE(program);
  const core::Program inlined = inlineCalls(*program);
  CHECK(test::verdict(core::verify(inlined)) == "valid");
  return countIn(inlined);
}

TEST_CASE("functions that call each other twice stay functions once there are too many copies") {
  const Count few = inlinedChain(10);
  CHECK(few.calls == 0);
  CHECK(few.statements == 512);
  const Count some = inlinedChain(40), many = inlinedChain(80);
  CHECK(some.calls > 0);
  CHECK(some.statements < 10'000);
  CHECK(many.statements < 3 * some.statements);
}

}  // namespace
}  // namespace halo::passes
