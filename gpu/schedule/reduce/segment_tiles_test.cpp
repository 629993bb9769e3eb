// Which tile the levels around a reduction get, by what its elements depend on.
#include "gpu/schedule/reduce/segment_tiles.h"

#include <doctest/doctest.h>

#include "gpu/schedule/legal.h"
#include "gpu/schedule/reduce/reduce.h"
#include "gpu/schedule/test_support.h"

namespace halo::gpu {
namespace {

// A reduction of `element` over xs in cells of two levels, with a row of each one.
std::string nest(const std::string& element, const std::string& inputs = "row_8, xs_5") {
  return "kernel main_1 [n_1][p_2][m_3] reduce (n_1: i64, p_2: i64, m_3: i64, rows_4: "
         "[n_1][m_3]f32, "
         "xs_5: [m_3]f32, ks_6: [p_2]f32) -> ([n_1][p_2]f32) {\n"
         "  t_7: [n_1][p_2]f32 = screma [n_1] (rows_4) map (row_8: [m_3]f32) {\n"
         "    u_9: [p_2]f32 = screma [p_2] (ks_6) map (k_10: f32) {\n"
         "      s_11: f32 = screma [m_3] (" +
         inputs + ") map (a_12: f32, b_13: f32) {\n" + element +
         "        return r_14 } reduce f32.add 0f32\n"
         "      return s_11 }\n"
         "    return u_9 }\n"
         "  return t_7 }\n";
}

LevelTiles tileOf(const std::string& text, const Request& request = {}) {
  const core::Program program = test::parsedCore(text);
  const KernelChoice choice = chooseReduce(program, program.functions[0], {}, request);
  for (const ScheduleVersion& version : choice.versions) {
    CHECK(whyIllegal(version.schedule, {}) == "");
    const auto* reduce = std::get_if<ReduceSchedule>(&version.schedule);
    if (reduce != nullptr && !reduce->tile.levels.empty()) return reduce->tile;
  }
  return {};
}
LevelTiles tile(std::vector<LevelTile> levels) { return {std::move(levels)}; }

constexpr char kProduct[] =
    "        p_15: f32 = f32.mul a_12 b_13\n"
    "        r_14: f32 = f32.mul p_15 k_10\n";

}  // namespace

TEST_CASE("most cells along the level that most loads and operations do not depend on") {
  CHECK(tileOf(nest(kProduct)) == tile({{0, 2}, {1, 8}}));
}

TEST_CASE("elements that divide have four cells at most") {
  CHECK(tileOf(nest("        p_15: f32 = f32.add a_12 b_13\n"
                    "        r_14: f32 = f32.div p_15 k_10\n")) == tile({{1, 4}}));
}

TEST_CASE("cells of long code that share all loads overlap") {
  std::string chain = "        p_20: f32 = f32.mul a_12 k_10\n";
  for (int i = 20; i < 120; ++i) {
    const std::string next = "p_" + std::to_string(i + 1), last = "p_" + std::to_string(i);
    chain += "        " + next + ": f32 = f32.mul " + last + " k_10\n";
  }
  const std::string code = chain + "        r_14: f32 = f32.add p_120 b_13\n";
  CHECK(tileOf(nest(code)) == tile({{1, 4}}));
}

TEST_CASE("no tile where an input's element belongs to one element of one segment") {
  const std::string rows =
      "kernel main_1 [n_1][m_3] reduce (n_1: i64, m_3: i64, rows_4: [n_1][m_3]f32, xs_5: [m_3]f32)"
      " -> ([n_1]f32) {\n"
      "  t_7: [n_1]f32 = screma [n_1] (rows_4) map (row_8: [m_3]f32) {\n"
      "    s_11: f32 = screma [m_3] (row_8, xs_5) map (a_12: f32, b_13: f32) {\n"
      "      r_14: f32 = f32.mul a_12 b_13\n"
      "      return r_14 } reduce f32.add 0f32\n"
      "    return s_11 }\n"
      "  return t_7 }\n";
  CHECK(tileOf(rows) == LevelTiles{});
  CHECK(tileOf(rows, {"together", {0, 4}}) == tile({{0, 4}}));
}

TEST_CASE("no tile of code that may fail") {
  CHECK(tileOf(nest("        i_15: i64 = i64.of_f32 a_12\n"
                    "        r_14: f32 = index xs_5[i_15] @?\n")) == LevelTiles{});
}

TEST_CASE("a request names levels and cells, which the verifier checks") {
  CHECK(tileOf(nest(kProduct), {"together", {0, 2, 2, 4}}) == tile({{0, 2}, {2, 4}}));
  ReduceSchedule s;
  s.invocations = 1;
  s.tile = tile({{0, 4}, {2, 4}});
  CHECK(whyIllegal(Schedule(s), {}) == "");
  s.tile = tile({{2, 4}, {0, 4}});
  CHECK(whyIllegal(Schedule(s), {}) == "a tile's levels are in order");
  s.tile = tile({{0, 0}});
  CHECK(whyIllegal(Schedule(s), {}) == "a tile has cells along its levels");
  s.tile = tile({{0, 16}, {1, 16}});
  CHECK(whyIllegal(Schedule(s), {}) == "a tile has at most 64 cells");
}

TEST_CASE("tiles read back, and lie in the nest") {
  core::Program program = test::parsedCore(
      "entry main(n_20: i64, p_21: i64, m_22: i64, a_23: [n_20][m_22]f32, b_24: [m_22]f32, c_25: "
      "[p_21]f32) -> ([n_20][p_21]f32) {\n"
      "  r_26: [n_20][p_21]f32 = call main_1 (n_20, p_21, m_22, a_23, b_24, c_25)\n"
      "  return r_26 }\n" +
      nest(kProduct));
  ScheduledProgram made = scheduled(std::move(program), Variants{});
  const std::string text = print(made);
  CHECK(text.find("tile=[0x2, 1x8]") != std::string::npos);
  source::Files files;
  auto again = parseScheduled(files, files.add("test.kernels", text));
  REQUIRE(again);
  CHECK(verify(*again));
  CHECK(print(*again) == text);
  auto& s = std::get<ReduceSchedule>(again->schedules.at("main_1").back().schedule);
  s.tile = tile({{3, 2}});
  auto broken = verify(*again);
  REQUIRE_FALSE(broken);
  CHECK(broken.error().message.find("a tile along level 3, the nest has 3") != std::string::npos);
}

}  // namespace halo::gpu
