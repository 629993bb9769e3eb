// Which cells lanes share, and how many lanes they get.
#include "gpu/schedule/cells.h"

#include <doctest/doctest.h>

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

std::optional<KernelChoice> choiceOf(const std::string& text, const Request& request = {},
                                     const Limits& limits = {}) {
  const core::Program program = test::parsedCore(text);
  return chooseCells(program, program.functions[0], limits, request);
}

// Of cells whose rows have so many elements in all; 0: one invocation for each cell.
int64_t lanesFor(const KernelChoice& choice, int64_t cells, int64_t elements) {
  for (const ScheduleVersion& version : choice.versions) {
    const auto size = [&](Quantity q) { return q == Quantity::kSegments ? cells : elements; };
    if (evaluate(version.guard, size) == 0) continue;
    const auto* lanes = std::get_if<CellLanesSchedule>(&version.schedule);
    return lanes == nullptr ? 0 : lanes->lanes;
  }
  return -1;
}

}  // namespace

TEST_CASE("the longer rows are on average, the more lanes share them") {
  const auto choice = choiceOf(sums("", "k_7"));
  REQUIRE(choice);
  CHECK(lanesFor(*choice, 1000, 3000) == 0);
  CHECK(lanesFor(*choice, 1000, 5000) == 4);
  CHECK(lanesFor(*choice, 1000, 32000) == 8);
  CHECK(lanesFor(*choice, 1000, 130000) == 32);
}

TEST_CASE("loops over rows keep their order, which many lanes would repeat") {
  const auto choice = choiceOf(
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
  REQUIRE(choice);
  CHECK(lanesFor(*choice, 1000, 5000) == 4);
  CHECK(lanesFor(*choice, 1000, 130000) == 8);
}

TEST_CASE("small subgroups have fewer versions") {
  Limits limits;
  limits.subgroup = 8;
  const auto choice = choiceOf(sums("", "k_7"), {}, limits);
  REQUIRE(choice);
  CHECK(choice->versions.size() == 3);
  CHECK(lanesFor(*choice, 1000, 130000) == 8);
}

TEST_CASE("rows of one length, and cells that are to be sequential, have no lanes") {
  CHECK(!choiceOf(sums("", "m_2")));
  CHECK(!choiceOf(sums("sequential_inner ", "k_7")));
  CHECK(!choiceOf(sums("only_intra ", "k_7")));
}

TEST_CASE("a request forces the lanes, or forbids them") {
  const auto forced = choiceOf(sums("", "k_7"), {"lanes", {16, 3}});
  REQUIRE(forced);
  CHECK(forced->versions.size() == 1);
  CHECK(std::get<CellLanesSchedule>(forced->versions[0].schedule) == CellLanesSchedule{16, 3, 256});
  const auto plain = choiceOf(sums("", "k_7"), {"plain", {}});
  REQUIRE(plain);
  CHECK(lanesFor(*plain, 1000, 100000) == 0);
}

}  // namespace halo::gpu
