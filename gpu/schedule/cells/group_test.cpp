// Versions of cells that have a workgroup each.
#include "gpu/schedule/cells/group.h"

#include <doctest/doctest.h>

#include "gpu/schedule/legal.h"
#include "gpu/schedule/test_support.h"

namespace halo::gpu {
namespace {

// Cells of two axes that read columns of a matrix and sum them.
constexpr char kColumns[] =
    "entry main(n_20: i64, m_21: i64, k_22: i64, xs_23: [n_20][k_22]f32, ys_24: [k_22][m_21]f32) "
    "-> ([n_20][m_21]f32) {\n"
    "  r_25: [n_20][m_21]f32 = call main_1 (n_20, m_21, k_22, xs_23, ys_24)\n"
    "  return r_25 }\n"
    "\n"
    "kernel main_1 [n_1][m_2] map (n_1: i64, m_2: i64, k_3: i64, xs_4: [n_1][k_3]f32, "
    "ys_5: [k_3][m_2]f32) -> ([n_1][m_2]f32) {\n"
    "  r_6: [n_1][m_2]f32 = screma only_intra [n_1] (xs_4) map (x_7: [k_3]f32) {\n"
    "    is_8: [m_2]i64 = iota i64 [m_2] 0i64 1i64\n"
    "    s_9: [m_2]f32 = screma [m_2] (is_8) map (j_10: i64) {\n"
    "      y_11: f32 = index ys_5[0i64, j_10]\n"
    "      t_12: f32 = screma [k_3] (x_7) reduce f32.add 0f32\n"
    "      u_13: f32 = f32.add y_11 t_12\n"
    "      return u_13 }\n"
    "    return s_9 }\n"
    "  return r_6 }\n";

ScheduledProgram scheduledColumns(const Limits& limits = {}) {
  Variants variants;
  static_cast<Limits&>(variants) = limits;
  return scheduled(test::parsedCore(kColumns), variants);
}

}  // namespace

TEST_CASE("groups: every version is legal, and its guards ask for what such kernels have") {
  for (const int64_t bytes : {16 * 1024, 48 * 1024}) {
    Limits limits;
    limits.shared_bytes = bytes;
    const ScheduledProgram program = scheduledColumns(limits);
    REQUIRE(program.schedules.count("main_1") == 1);
    CHECK(verify(program));
    const ScheduleVersions& versions = program.schedules.at("main_1");
    CHECK(std::get<GroupSchedule>(versions.back().schedule).pool == GroupSchedule::Pool::kDevice);
  }
}

TEST_CASE("groups: where a workgroup cannot share a cell, an invocation does it") {
  const ScheduledProgram program = scheduledColumns();
  const auto never_uniform = [](Quantity) -> int64_t { return 0; };
  for (const ScheduleVersion& version : program.schedules.at("main_1")) {
    if (evaluate(version.guard, never_uniform) == 0) continue;
    CHECK(std::holds_alternative<MapSchedule>(version.schedule));
    break;
  }
}

TEST_CASE("groups: rows of up to 256 elements have a lane for each") {
  Limits limits;
  limits.most_invocations = 128;
  const auto lanesFor = [](const ScheduledProgram& program, int64_t width) {
    const auto quantity = [&](Quantity which) -> int64_t {
      return which == Quantity::kIsUniform ? 1 : which == Quantity::kWidth ? width : 0;
    };
    for (const ScheduleVersion& version : program.schedules.at("main_1")) {
      const auto* group = std::get_if<GroupSchedule>(&version.schedule);
      if (group == nullptr || evaluate(version.guard, quantity) == 0) continue;
      return group->one_turn ? group->lanes : -group->lanes;
    }
    return int64_t{0};
  };
  const ScheduledProgram program = scheduledColumns(), small = scheduledColumns(limits);
  CHECK(lanesFor(program, 64) == 64);
  CHECK(lanesFor(program, 115) == 128);
  CHECK(lanesFor(program, 256) == 256);
  CHECK(lanesFor(program, 257) == -256);
  CHECK(lanesFor(small, 115) == 128);
  CHECK(lanesFor(small, 129) == -128);
}

}  // namespace halo::gpu
