// Code of one invocation in the launch of the reduction in front of it.
#include <doctest/doctest.h>

#include <string>

#include "gpu/engine.h"
#include "lang/core/text.h"

namespace halo::gpu {
namespace {

std::string kernelsOf(const std::string& core) {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", core));
  REQUIRE_MESSAGE(program, (program ? "" : program.error().message));
  auto text = dump(*program, Stage::kKernels, "", {});
  REQUIRE(text);
  return *text;
}

size_t countIn(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// The host code from the last loop on.
std::string lastLoop(const std::string& text) {
  const std::string host = text.substr(0, text.find("\nkernel "));
  return host.substr(host.rfind(" = loop "));
}

TEST_CASE("the condition of a loop is computed with the reduction that it tests") {
  const std::string text = kernelsOf(R"(
entry main(n_0: i64, xs_1: [n_0]i32) -> ([n_0]i32) {
  (ys_2: [n_0]i32, k_3: i64, t_4: bool) = loop (xs_5: [n_0]i32 = xs_1, k_6: i64 = 0i64, go_7: bool = true) while go_7 do {
    (e_8: i32, ys_9: [n_0]i32) = screma [n_0] (xs_5) map (x_10: i32) {
      y_11: i32 = i32.div x_10 2i32
      return y_11, y_11 } reduce comm i32.max 0i32
    l_12: i64 = i64.add k_6 1i64
    big_13: bool = i32.lt 1i32 e_8
    few_14: bool = i64.lt l_12 100i64
    on_15: bool = bool.and big_13 few_14
    return ys_9, l_12, on_15 }
  return ys_2 }
)");
  CHECK_MESSAGE(countIn(lastLoop(text), " = call ") == 1, text);
}

TEST_CASE("an element that a reduction gives is stored with it") {
  const std::string text = kernelsOf(R"(
entry main(n_0: i64, xs_1: [n_0]i32) -> ([n_0]i32) {
  own_2: [n_0]i32 = copy xs_1
  e_3: i32 = screma [n_0] (xs_1) reduce comm i32.add 0i32
  ok_4: bool = i64.lt 0i64 n_0
  assert ok_4 H7001 (0i64, n_0) @?
  t_5: [n_0]i32 = update own_2[0i64] = e_3
  return t_5 }
)");
  CHECK_MESSAGE(countIn(text, " = call main_") == 2, text);
}

TEST_CASE("code that reads what the reduction's elements make has a launch of its own") {
  const std::string text = kernelsOf(R"(
entry main(n_0: i64, xs_1: [n_0]i32) -> ([1]i32, [n_0]i32) {
  (e_2: i32, ys_3: [n_0]i32) = screma [n_0] (xs_1) map (x_4: i32) {
    y_5: i32 = i32.mul x_4 x_4
    return y_5, y_5 } reduce comm i32.add 0i32
  ok_6: bool = i64.lt 0i64 n_0
  assert ok_6 H7001 (0i64, n_0) @?
  y_7: i32 = index ys_3[0i64]
  s_8: i32 = i32.add e_2 y_7
  t_9: [1]i32 = array i32 {s_8}
  return t_9, ys_3 }
)");
  CHECK_MESSAGE(countIn(text, " = call main_") == 2, text);
}

}  // namespace
}  // namespace halo::gpu
