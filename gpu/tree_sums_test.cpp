// A scan with a tree of sums whose elements may fail: its loops end whatever failed lanes leave.
#include <doctest/doctest.h>

#include <string>

#include "gpu/engine.h"
#include "lang/core/text.h"

namespace halo::gpu {
namespace {

constexpr char kScan[] = R"(
entry main(n_0: i64, d_1: i64, xs_2: [d_1]f32, is_3: [n_0]i64) -> ([n_0]f32) {
  ys_4: [n_0]f32 = screma [n_0] (is_3) map (i_5: i64) { x_6: f32 = index xs_2[i_5] @2:68; return x_6 } scan f32.add 0f32
  return ys_4 }
)";

TEST_CASE("a fold over earlier blocks has at most as many steps as lanes") {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", kScan));
  REQUIRE_MESSAGE(program, (program ? "" : program.error().message));
  engine::Options options;
  options.variant = "one_pass:64,2,1,1";
  auto text = dump(*program, Stage::kImp, "", options);
  REQUIRE(text);
  const size_t line = text->rfind('\n', text->find(" oldest_"));
  const std::string bound = text->substr(0, line).substr(text->rfind('\n', line - 1));
  CHECK_MESSAGE(bound.find(": u32 = u32.and ") != std::string::npos, bound.substr(0, 80));
}

}  // namespace
}  // namespace halo::gpu
