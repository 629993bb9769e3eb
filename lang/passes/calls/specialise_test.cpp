// Which parameters decide about offsets, and the rest of dynamic windows when they are known.
#include "lang/passes/calls/specialise.h"

#include <doctest/doctest.h>

#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "lang/passes/pipeline.h"
#include "tests/golden.h"

namespace halo::passes {
namespace {

core::Program parsed(const std::string& text) {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", text));
  REQUIRE(program);
  return *program;
}

const char kLine[] = R"(
entry main(d_1: i64, n_2: i64, os_3: [d_1]i64, ws_4: [d_1]f32, xs_5: [n_2]f32) -> ([n_2]f32, [d_1]f32) {
  ys_6: [n_2]f32 = stencil [n_2] (window xs_5 clamp (os_3)) map (v_7: [d_1]f32) {
    s_8: f32 = screma [d_1] (v_7, ws_4) map (a_9: f32, w_10: f32) {
      p_11: f32 = f32.mul a_9 w_10
      return p_11 } reduce f32.add 0f32
    return s_8 }
  vs_12: [d_1]f32 = screma [d_1] (ws_4) map (w_13: f32) { q_14: f32 = f32.mul w_13 2f32; return q_14 }
  return ys_6, vs_12 })";

const char kLoaded[] = R"(
entry main(n_1: i64, k_2: i64, xs_3: [n_1]f32, table_4: [n_1]f32) -> ([n_1]f32) {
  x_5: f32 = index table_4[k_2] @1:1
  o_6: i64 = i64.of_f32 x_5
  os_7: [1]i64 = array i64 {o_6}
  ys_8: [n_1]f32 = stencil [n_1] (window xs_3 clamp (os_7)) map (v_9: [1]f32) {
    y_10: f32 = index v_9[0i64] @1:1
    return y_10 }
  return ys_8 })";

TEST_CASE("offsets that are an argument") {
  core::Program program = parsed(kLine);
  CHECK(hasDynamicWindows(program));
  core::Program ready = run(rows(Pipeline::kCpu), program);
  REQUIRE(decidingParams(ready, "main") == std::vector<size_t>{0});
  KnownParam offsets{0, true, {prim::Scalar::ofI64(-1), prim::Scalar::ofI64(4)}};
  core::Program known = specialise(program, "main", {offsets});
  CHECK(test::verdict(core::verify(known)) == "valid");
  core::Program made = run(rows(Pipeline::kCpu), known);
  CHECK(test::verdict(core::verify(made)) == "valid");
  CHECK_FALSE(hasDynamicWindows(made));
  CHECK(core::print(made).find("{-1, 4}") != std::string::npos);
}

TEST_CASE("a number that decides about offsets is a size of the result as well") {
  core::Program program = parsed(R"(
entry main(n_1: i64) -> ([n_1]i64) {
  xs_2: [n_1]i64 = iota i64 [n_1] 0 1
  os_3: [1]i64 = array i64 {n_1}
  ys_4: [n_1]i64 = stencil [n_1] (window xs_2 clamp (os_3)) map (v_5: [1]i64) {
    y_6: i64 = index v_5[0]
    return y_6 }
  return ys_4 })");
  REQUIRE(decidingParams(program, "main") == std::vector<size_t>{0});
  core::Program known = specialise(program, "main", {{0, false, {prim::Scalar::ofI64(3)}}});
  CHECK(test::verdict(core::verify(known)) == "valid");
}

TEST_CASE("offsets from other data are left alone") {
  core::Program program = parsed(kLoaded);
  CHECK(decidingParams(program, "main").empty());
}

}  // namespace
}  // namespace halo::passes
