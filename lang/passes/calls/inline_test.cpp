// Functions of more statements than are copied at once: their copies keep no calls either.
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
  for (int k = 1; k <= operations; k++) {
    const std::string number = std::to_string(k);
    text += "  y_" + number + ": i32 = i32.add " + (k == 1 ? "x_0" : "y_" + std::to_string(k - 1));
    text += " " + number + "i32\n";
  }
  const std::string last = std::to_string(operations);
  return text + "  z_5000: i32 = call twice (y_" + last + ")\n  return z_5000 }\n";
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
  size_t statements = 0, calls = 0;
  for (const core::Function& function : inlined.functions) {
    core::visitStms(function.body, [&](const core::Stm& stm) {
      statements++;
      if (std::holds_alternative<core::Call>(stm.expr)) calls++;
    });
  }
  CHECK(inlined.functions.size() == 1);
  CHECK(statements == 601);
  CHECK(calls == 0);
}

}  // namespace
}  // namespace halo::passes
