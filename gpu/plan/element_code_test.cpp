// The size of code that templates repeat.
#include "gpu/plan/nests/element_code.h"

#include <doctest/doctest.h>

#include "lang/core/text.h"

namespace halo::gpu {
namespace {

core::Body cellOf(const std::string& code) {
  source::Files files;
  auto parsed = core::parse(files, files.add("test.core", R"(
entry main(n: i64, ks: [n]u8, xs: [n]f32) -> ([n]f32) {
  ys: [n]f32 = screma [n] (ks, xs) map (k: u8, x: f32) {
)" + code + R"(
    return y }
  return ys })"));
  REQUIRE_MESSAGE(parsed, (parsed ? "" : parsed.error().message));
  return std::get<core::Screma>(parsed->functions[0].body.stms[0].expr).map.body;
}

TEST_CASE("a branch is as much code as its comparisons, its statements and its assignments") {
  CHECK(codeSize(cellOf("y: f32 = f32.neg x")) == 1);
  CHECK(codeSize(cellOf("y: f32 = match k {\n"
                        "  0u8 -> { return x }\n"
                        "  1u8 -> { z: f32 = f32.neg x; return z }\n"
                        "  else -> { return 0f32 } }")) == 1 + 2 + 1 + 3);
  CHECK(codeSize(cellOf("(y: f32, w: f32) = match k {\n"
                        "  0u8 -> { return x, x }\n"
                        "  else -> { return 0f32, x } }")) == 1 + 1 + 4);
}

TEST_CASE("code without checks is the same code") {
  const core::Body checked = cellOf(
      "in: bool = f32.lt x 1f32\n assert in H7001 ()\n"
      "y: f32 = match k {\n 0u8 -> { assert in H7001 ()\n return x }\n else -> { return 0f32 } }");
  const core::Body plain = cellOf(
      "in: bool = f32.lt x 1f32\n"
      "y: f32 = match k {\n 0u8 -> { return x }\n else -> { return 0f32 } }");
  CHECK(codeSize(withoutChecks(checked)) == codeSize(plain));
}

}  // namespace
}  // namespace halo::gpu
