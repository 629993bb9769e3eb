// A filter of gathered elements: which of its kernels check the places.
#include <doctest/doctest.h>

#include <string>

#include "gpu/engine.h"
#include "lang/core/text.h"

namespace halo::gpu {
namespace {

constexpr char kFilter[] = R"(
entry main(n_0: i64, d_1: i64, xs_2: [d_1]i32, is_3: [n_0]i64) -> (i64, [n_0]i32) {
  xs_4: [n_0]i32 = screma [n_0] (is_3) map (i_5: i64) { x_6: i32 = index xs_2[i_5] @2:68; return x_6 }
  flags_7: [n_0]i64 = screma [n_0] (xs_4) map (x_8: i32) {
    t_9: bool = i32.gt x_8 0i32
    t_10: i64 = match t_9 {
      true -> { return 1i64 }
      else -> { return 0i64 } }
    return t_10 }
  ends_11: [n_0]i64 = screma [n_0] (flags_7) scan i64.add 0i64
  count_12: i64 = screma [n_0] (flags_7) reduce i64.add 0i64
  places_13: [n_0]i64 = screma [n_0] (flags_7, ends_11) map (flag_14: i64, end_15: i64) {
    t_16: bool = i64.eq flag_14 1i64
    t_17: i64 = match t_16 {
      true -> { t_18: i64 = i64.sub end_15 1i64; return t_18 }
      else -> { return -1i64 } }
    return t_17 }
  t_19: [n_0]i32 = scratch [n_0]i32
  kept_20: [n_0]i32 = scatter [n_0] (places_13, xs_4) into (t_19 1)
  return count_12, kept_20 }
)";

// Of the first kernel whose name has this end.
std::string kernelOf(const std::string& text, const std::string& end) {
  const size_t name = text.find(end + "\"(");
  if (name == std::string::npos) return {};
  return text.substr(name, text.find("\nkernel ", name) - name);
}

TEST_CASE("elements that are moved were checked when their flags were counted") {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", kFilter));
  REQUIRE_MESSAGE(program, (program ? "" : program.error().message));
  auto text = dump(*program, Stage::kImp, "", {});
  REQUIRE(text);
  CHECK(kernelOf(*text, "_count").find("fail ") != std::string::npos);
  const std::string move = kernelOf(*text, "_move");
  CHECK(!move.empty());
  CHECK(move.find("fail ") == std::string::npos);
}

}  // namespace
}  // namespace halo::gpu
