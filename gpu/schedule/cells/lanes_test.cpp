// Which cells lanes share, and how many lanes they get.
#include "gpu/schedule/cells/lanes.h"

#include <doctest/doctest.h>

#include "gpu/schedule/cells/cells_legal.h"
#include "gpu/schedule/test_support.h"

namespace halo::gpu {
namespace {

// A cell that sums the elements from `starts[i]` on, as many as `length` says.
std::string sums(const std::string& attribute, const std::string& length) {
  return "kernel main_1 [n_1] map (n_1: i64, m_2: i64, starts_3: [n_1]i64, xs_4: [m_2]f32) -> "
         "([n_1]f32) {\n"
         "  t_5: [n_1]f32 = screma " +
         attribute +
         "[n_1] (starts_3) map (a_6: i64) {\n"
         "    k_7: i64 = i64.sub m_2 a_6\n"
         "    row_8: [" +
         length + "]f32 = slice xs_4[a_6:" + length +
         ":1]\n"
         "    s_9: f32 = screma [" +
         length +
         "] (row_8) reduce f32.add 0f32\n"
         "    return s_9 }\n"
         "  return t_5 }\n";
}

// Nothing where an invocation does each cell.
std::optional<ScheduleVersions> versionsOf(const std::string& text, const Request& request = {},
                                           const Limits& limits = {}) {
  const core::Program program = test::parsedCore(text);
  const auto cells = cellsOfLanes(program, program.functions[0], limits);
  if (!cells) return std::nullopt;
  ScheduleVersions versions;
  addCellLanes(versions, *cells, limits, request);
  return versions;
}

// Of cells whose rows have so many elements in all; no lanes: one invocation for each cell.
CellLanesSchedule taken(const ScheduleVersions& versions, int64_t cells, int64_t elements) {
  for (const ScheduleVersion& version : versions) {
    const auto size = [&](Quantity q) { return q == Quantity::kSegments ? cells : elements; };
    if (evaluate(version.guard, size) == 0) continue;
    return std::get<CellLanesSchedule>(version.schedule);
  }
  return {0, 0, 0, 0, 0};
}
int64_t lanesFor(const ScheduleVersions& versions, int64_t cells, int64_t elements) {
  return taken(versions, cells, elements).lanes;
}

}  // namespace

TEST_CASE("the longer rows are on average, the more lanes share them") {
  const auto versions = versionsOf(sums("", "k_7"));
  REQUIRE(versions);
  CHECK(lanesFor(*versions, 10000, 30000) == 0);
  CHECK(lanesFor(*versions, 10000, 50000) == 4);
  CHECK(lanesFor(*versions, 10000, 320000) == 8);
  CHECK(lanesFor(*versions, 10000, 1300000) == 32);
}

TEST_CASE("few cells have a workgroup each, or several for long rows") {
  const auto versions = versionsOf(sums("", "k_7"));
  REQUIRE(versions);
  CHECK(lanesFor(*versions, 1000, 5000) == 4);
  CHECK(lanesFor(*versions, 1000, 32000) == 256);
  CHECK(taken(*versions, 1000, 1000000).workgroups == 0);
  CHECK(taken(*versions, 64, 16000).workgroups == 0);
  CHECK(taken(*versions, 64, 32768) == CellLanesSchedule{256, 4, 256, 1024, 4096});
  CHECK(taken(*versions, 64, 16384) == CellLanesSchedule{256, 4, 256, 0, 0});
  Limits limits;
  limits.groups_talk = false;
  const auto apart = versionsOf(sums("", "k_7"), {}, limits);
  REQUIRE(apart);
  CHECK(taken(*apart, 64, 16384) == CellLanesSchedule{256, 4, 256, 0, 0});
}

TEST_CASE("cells with a row in a branch or a loop have no workgroup") {
  const auto versions = versionsOf(
      "kernel main_1 [n_1] map (n_1: i64, m_2: i64, starts_3: [n_1]i64, xs_4: [m_2]f32) -> "
      "([n_1]f32) {\n"
      "  t_5: [n_1]f32 = screma [n_1] (starts_3) map (a_6: i64) {\n"
      "    k_7: i64 = i64.sub m_2 a_6\n"
      "    row_8: [k_7]f32 = slice xs_4[a_6:k_7:1]\n"
      "    s_9: f32 = loop (t_10: f32 = 0f32) for i_11 < a_6 do {\n"
      "      u_12: f32 = screma [k_7] (row_8) reduce f32.add 0f32\n"
      "      return u_12 }\n"
      "    return s_9 }\n"
      "  return t_5 }\n");
  REQUIRE(versions);
  CHECK(lanesFor(*versions, 64, 1000000) == 32);
}

TEST_CASE("cells with a loop in front of their row have no workgroup") {
  const auto versions = versionsOf(
      "kernel main_1 [n_1] map (n_1: i64, m_2: i64, starts_3: [n_1]i64, xs_4: [m_2]f32) -> "
      "([n_1]f32) {\n"
      "  t_5: [n_1]f32 = screma [n_1] (starts_3) map (a_6: i64) {\n"
      "    k_7: i64 = loop (k_8: i64 = 1i64) for i_9 < a_6 do {\n"
      "      k_10: i64 = i64.mul k_8 3i64\n"
      "      return k_10 }\n"
      "    row_11: [k_7]f32 = slice xs_4[a_6:k_7:1]\n"
      "    s_12: f32 = screma [k_7] (row_11) reduce f32.add 0f32\n"
      "    return s_12 }\n"
      "  return t_5 }\n");
  REQUIRE(versions);
  CHECK(lanesFor(*versions, 64, 1000000) == 32);
}

TEST_CASE("lanes are those of a subgroup or a workgroup, runs are for several workgroups") {
  const Limits limits;
  CHECK(whyIllegal(CellLanesSchedule{32, 4, 256, 0, 0}, limits).empty());
  CHECK(whyIllegal(CellLanesSchedule{256, 4, 256, 1024, 4096}, limits).empty());
  CHECK(!whyIllegal(CellLanesSchedule{64, 4, 256, 0, 0}, limits).empty());
  CHECK(!whyIllegal(CellLanesSchedule{32, 4, 256, 1024, 4096}, limits).empty());
  CHECK(!whyIllegal(CellLanesSchedule{256, 4, 256, 1024, 0}, limits).empty());
  Limits apart;
  apart.groups_talk = false;
  CHECK(!whyIllegal(CellLanesSchedule{256, 4, 256, 1024, 4096}, apart).empty());
}

TEST_CASE("loops over rows keep their order, which many lanes would repeat") {
  const auto versions = versionsOf(
      "kernel main_1 [n_1] map (n_1: i64, m_2: i64, starts_3: [n_1]i64, xs_4: [m_2]f32) -> "
      "([n_1]f32) {\n"
      "  t_5: [n_1]f32 = screma [n_1] (starts_3) map (a_6: i64) {\n"
      "    k_7: i64 = i64.sub m_2 a_6\n"
      "    s_8: f32 = loop (t_9: f32 = 0f32) for i_10 < k_7 do {\n"
      "      j_11: i64 = i64.add a_6 i_10\n"
      "      x_12: f32 = index xs_4[j_11]\n"
      "      u_13: f32 = f32.add t_9 x_12\n"
      "      return u_13 }\n"
      "    return s_8 }\n"
      "  return t_5 }\n");
  REQUIRE(versions);
  CHECK(lanesFor(*versions, 1000, 5000) == 4);
  CHECK(lanesFor(*versions, 1000, 130000) == 8);
}

TEST_CASE("small subgroups have fewer versions") {
  Limits limits;
  limits.subgroup = 8;
  const auto versions = versionsOf(sums("", "k_7"), {}, limits);
  REQUIRE(versions);
  CHECK(versions->size() == 4);  // the first two for workgroups
  CHECK(lanesFor(*versions, 10000, 1300000) == 8);
}

TEST_CASE("rows of one length, and cells that are to be sequential, have no lanes") {
  CHECK(!versionsOf(sums("", "m_2")));
  CHECK(!versionsOf(sums("sequential_inner ", "k_7")));
  CHECK(!versionsOf(sums("only_intra ", "k_7")));
}

TEST_CASE("a request forces the lanes, or forbids them") {
  const auto forced = versionsOf(sums("", "k_7"), {"lanes", {16, 3}});
  REQUIRE(forced);
  CHECK(forced->size() == 1);
  CHECK(std::get<CellLanesSchedule>((*forced)[0].schedule) == CellLanesSchedule{16, 3, 256, 0, 0});
  const auto group = versionsOf(sums("", "k_7"), {"lanes", {256, 4, 64}});
  REQUIRE(group);
  CHECK(std::get<CellLanesSchedule>((*group)[0].schedule) == CellLanesSchedule{256, 4, 256, 64, 1});
  const auto plain = versionsOf(sums("", "k_7"), {"plain", {}});
  REQUIRE(plain);
  CHECK(lanesFor(*plain, 1000, 100000) == 0);
}

}  // namespace halo::gpu
