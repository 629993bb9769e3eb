// Scalars that stay on the device between the parts of an entry.
#include "lang/passes/late_scalars.h"

#include <doctest/doctest.h>

#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "lang/core/visit.h"
#include "lang/passes/parts.h"

namespace halo::passes {
namespace {

// A step of a solver: a part that can begin before the condition is known, a move, and the sum.
const char* kText = R"(
entry main(n_0: i64, most_1: i32, xs_2: [n_0]f32) -> (f32, [n_0]f32) {
  (r_3: f32, k_4: i32, t_5: bool, u_6: [n_0]f32) = loop (r_7: f32 = 1f32, k_8: i32 = 0i32, t_9: bool = true, u_10: [n_0]f32 = xs_2) while t_9 do {
    (k_11: i32, w_12: [n_0]f32) = call part_1 (n_0, k_8, r_7, u_10)
    (p_13: i64, all_14: [p_13]f32) = call move.join (w_12)
    (r_15: f32, t_16: bool) = call part_2 (p_13, most_1, k_11, all_14)
    return r_15, k_11, t_16, w_12 }
  return r_3, u_6 }

fn part_1(n_20: i64, k_21: i32, r_22: f32, u_23: [n_20]f32) -> (i32, [n_20]f32) {
  k_24: i32 = i32.add k_21 1i32
  w_25: [n_20]f32 = screma [n_20] (u_23) map (x_26: f32) {
    y_27: f32 = f32.mul x_26 r_22
    return y_27 }
  return k_24, w_25 }

fn part_2(p_30: i64, most_31: i32, k_32: i32, all_33: [p_30]f32) -> (f32, bool) {
  s_34: f32 = screma [p_30] (all_33) map (x_35: f32) { return x_35 } reduce f32.add 0f32
  r_36: f32 = f32.sqrt s_34
  t_37: bool = f32.gt r_36 1e-09f32
  t_38: bool = i32.lt k_32 most_31
  t_39: bool = bool.and t_37 t_38
  return r_36, t_39 }
)";

core::Program parsed(const std::string& text) {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", text));
  REQUIRE_MESSAGE(program.has_value(), (program ? "" : program.error().message));
  return std::move(*program);
}

std::map<std::string, LateScalars> lateOf(const core::Program& program) {
  return lateScalars(program,
                     [&](const core::Loop& loop) { return callsAhead(program, loop) > 0; });
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a norm and the condition behind it stay on the device") {
  const core::Program program = parsed(kText);
  auto late = lateOf(program);
  REQUIRE(late.size() == 2);
  CHECK(late["part_1"].params == std::vector<bool>{false, false, true, false});
  CHECK_FALSE(late["part_1"].hasResults());
  CHECK(late["part_2"].results == std::vector<bool>{true, true});
  for (const auto& [name, of_part] : late) {
    const core::Program alone = withLate(partOf(program, name), of_part);
    CHECK(core::verify(alone).has_value());
    const core::Function* part = alone.find(name);
    int maps = 0;  // of one cell
    core::visitStms(part->body, [&](const core::Stm& stm) {
      const auto* node = std::get_if<core::Screma>(&stm.expr);
      maps += node != nullptr && node->width == core::kOne;
    });
    CHECK(maps == (name == "part_2" ? 1 : 0));
  }
}

TEST_CASE("what the host reads is not late, nor is a condition that nothing can run ahead of") {
  // An exchange begins each step.
  const core::Program waits = parsed(changed(
      kText, "    (k_11", "    (p_40: i64, all_41: [p_40]f32) = call move.join (u_10)\n    (k_11"));
  CHECK(lateOf(waits).empty());
  // The step may fail where there is none.
  const core::Program fails =
      parsed(changed(kText, "  k_24",
                     "  t_42: bool = i32.lt k_21 9i32\n  assert t_42 H7005 (k_21) @9:11\n  k_24"));
  CHECK(lateOf(fails).empty());
  // A number that cells index with is no float, and comes to the host.
  const core::Program each = parsed(
      changed(kText, "return r_15, k_11",
              "(q_43: i64, e_44: [q_43]f32) = call move.each (r_15)\n    return r_15, k_11"));
  CHECK_FALSE(lateOf(each)["part_1"].hasResults());
  CHECK(lateOf(each).count("part_2") == 0);
}

}  // namespace halo::passes
