// Traits of cells on Core, and the versions that follow from them and from facts of the code.
#include "gpu/schedule/cells/per_element.h"

#include <doctest/doctest.h>

#include <map>

#include "gpu/schedule/legal.h"
#include "gpu/schedule/test_support.h"

namespace halo::gpu {
namespace {

// A kernel over a line of elements of this type, whose cell is `code` with the result `y_6`.
core::Program line(const std::string& type, const std::string& code) {
  return test::parsedCore("kernel main_1 [n_1] map (n_1: i64, xs_2: [n_1]" + type + ") -> ([n_1]" +
                          type + ") {\n  t_3: [n_1]" + type + " = screma [n_1] (xs_2) map (x_4: " +
                          type + ") {\n" + code + "    return y_6 }\n  return t_3 }\n");
}

constexpr char kShort[] = "    y_6: f32 = f32.add x_4 1f32\n";
constexpr char kLoop[] =
    "    y_6: f32 = loop (a_7: f32 = x_4) for i_8 < n_1 do {\n"
    "      b_9: f32 = f32.add a_7 1f32\n"
    "      return b_9 }\n";
constexpr char kOwnArray[] =
    "    k_5: [n_1]f32 = screma [n_1] (xs_2) map (v_7: f32) {\n"
    "      w_8: f32 = f32.mul v_7 x_4\n"
    "      return w_8 }\n"
    "    y_6: f32 = index k_5[0i64]\n";

ScheduleVersions versionsOf(const core::Program& program, const Request& request = {},
                            const Limits& limits = {}) {
  const Launches launches(program);
  return chooseElements(launches, program.functions[0], limits, request).versions;
}

std::string taken(const ScheduleVersions& versions, std::map<Quantity, int64_t> facts) {
  for (const ScheduleVersion& version : versions) {
    if (evaluate(version.guard, [&](Quantity which) { return facts[which]; }) != 0) {
      return print(version.schedule);
    }
  }
  return "";
}

bool begins(const std::string& text, const std::string& with) { return text.find(with) == 0; }

}  // namespace

TEST_CASE("cells: short straight code has several cells, whose loads are under way together") {
  const ScheduleVersions versions = versionsOf(line("f32", kShort));
  const auto of = [&](bool is_straight, int64_t code) {
    return taken(versions, {{Quantity::kIsStraight, is_straight ? 1 : 0}, {Quantity::kCode, code}});
  };
  CHECK(begins(of(true, 96), "per_element{layout=apart, cells=4"));
  CHECK(begins(of(true, 97), "per_element{layout=single, cells=1"));
  CHECK(begins(of(false, 5), "per_element{layout=single, cells=1"));
}

TEST_CASE("cells: small elements move by 16 bytes") {
  const ScheduleVersions versions = versionsOf(line("u8", "    y_6: u8 = u8.add x_4 1u8\n"));
  const auto of = [&](int64_t code, int64_t bytes) {
    return taken(
        versions,
        {{Quantity::kIsStraight, 1}, {Quantity::kCode, code}, {Quantity::kAccessBytes, bytes}});
  };
  CHECK(begins(of(32, 1), "per_element{layout=vectors, cells=16"));
  CHECK(begins(of(32, 2), "per_element{layout=vectors, cells=8"));
  CHECK(begins(of(33, 1), "per_element{layout=apart"));
  CHECK(begins(of(32, 4), "per_element{layout=apart"));
}

TEST_CASE("cells: loops are one cell each, arrays of a cell have slots") {
  CHECK(versionsOf(line("f32", kLoop)).size() == 1);
  const ScheduleVersions versions = versionsOf(line("f32", kOwnArray));
  CHECK(begins(taken(versions, {{Quantity::kHasMemory, 1}}),
               "cell_slots{workgroup=64, invocations=131072, least_invocations=1024"));
  CHECK(begins(taken(versions, {{Quantity::kHasMemory, 1}, {Quantity::kIsUnbounded, 1}}),
               "cell_slots{workgroup=64, invocations=131072, least_invocations=64"));
  CHECK(begins(taken(versions, {}), "per_element{layout=single"));
}

// The schedule of rows of 4 or 8 bytes that move by elements.
std::string byElements(int64_t workgroup, int64_t words) {
  return "row_cells{levels=1, workgroup=" + std::to_string(workgroup) +
         ", row=16, elements=16, is_vector=false, words=" + std::to_string(words) + "}";
}

TEST_CASE("cells: short rows pass through shared memory where they lie in it") {
  const auto of = [](const std::string& row, int64_t shortest, int64_t cells) {
    const core::Program program = test::parsedCore(
        "kernel main_1 [n_1] map (n_1: i64, m_2: i64, xs_3: [n_1]" + row + ") -> ([n_1]f32) {\n" +
        "  t_4: [n_1]f32 = screma [n_1] (xs_3) map (x_5: " + row + ") {\n" +
        "    y_6: f32 = index x_5[0i64]\n    return y_6 }\n  return t_4 }\n");
    return taken(versionsOf(program), {{Quantity::kShortRow, shortest},
                                       {Quantity::kOuterCells, cells},
                                       {Quantity::kInnerElements, 1}});
  };
  CHECK(begins(of("[3]f32", 3, 1 << 15), byElements(64, 16)));
  CHECK(begins(of("[m_2]f32", 16, 1 << 15), byElements(64, 17)));
  CHECK(begins(of("[m_2]f32", 17, 1 << 15), "per_element"));
  CHECK(begins(of("[3]f32", 3, (1 << 15) - 1), "per_element"));
  CHECK(begins(of("[3]f32", 0, 1 << 15), "per_element"));  // rows that lie otherwise
  CHECK(begins(of("[17]f32", 17, 1 << 15), "per_element"));
}

TEST_CASE("cells: rows that begin at vectors move by these, those of bytes by nothing else") {
  const auto of = [](const std::string& type, int64_t is_aligned) {
    const core::Program program = test::parsedCore(
        "kernel main_1 [n_1] map (n_1: i64, xs_3: [n_1][3]" + type + ") -> ([n_1]" + type +
        ") {\n  t_4: [n_1]" + type + " = screma [n_1] (xs_3) map (x_5: [3]" + type +
        ") {\n    y_6: " + type + " = index x_5[0i64]\n    return y_6 }\n  return t_4 }\n");
    return taken(versionsOf(program), {{Quantity::kShortRow, 3},
                                       {Quantity::kOuterCells, 1 << 15},
                                       {Quantity::kInnerElements, 1},
                                       {Quantity::kIsBeginAligned, is_aligned}});
  };
  CHECK(begins(of("f32", 1),
               "row_cells{levels=1, workgroup=64, row=16, elements=16, is_vector=true"));
  CHECK(begins(of("f32", 0), byElements(64, 16)));
  CHECK(
      begins(of("u8", 1), "row_cells{levels=1, workgroup=64, row=16, elements=64, is_vector=true"));
  CHECK(begins(of("f16", 1),
               "row_cells{levels=1, workgroup=64, row=16, elements=32, is_vector=true"));
  CHECK(begins(of("u8", 0), "per_element"));
  CHECK(begins(of("bool", 1), "per_element"));
}

TEST_CASE("cells: rows that only branches read do not pass through shared memory") {
  const auto of = [](const std::string& code) {
    const core::Program program = test::parsedCore(
        "kernel main_1 [n_1] map (n_1: i64, xs_2: [n_1][4]f32, bs_3: [n_1]bool) -> ([n_1]f32) {\n"
        "  t_4: [n_1]f32 = screma [n_1] (xs_2, bs_3) map (x_5: [4]f32, b_6: bool) {\n" +
        code + "    return y_7 }\n  return t_4 }\n");
    return taken(versionsOf(program), {{Quantity::kShortRow, 4},
                                       {Quantity::kOuterCells, 1 << 15},
                                       {Quantity::kInnerElements, 1}});
  };
  const std::string branch =
      "    y_7: f32 = match b_6 {\n      true -> {\n        z_8: f32 = index x_5[0i64]\n"
      "        return z_8 }\n      else -> { return 0f32 } }\n";
  CHECK(begins(of(branch), "per_element"));
  CHECK(begins(of("    z_9: f32 = index x_5[1i64]\n" + branch), "row_cells"));
  CHECK(begins(of("    z_9: f32 = loop (c_10: f32 = 0f32) for i_11 < 4i64 do {\n"
                  "      e_12: f32 = index x_5[i_11]\n      return e_12 }\n" +
                  branch),
               "row_cells"));
}

TEST_CASE("cells: rows of a workgroup have at most 4,096 elements and fit in shared memory") {
  const auto of = [](const std::string& type, int64_t workgroup) {
    const core::Program program = test::parsedCore(
        "kernel main_1 [n_1] map (n_1: i64, m_9: i64, xs_2: [n_1]" + type + ") -> ([n_1]" + type +
        ") {\n  t_4: [n_1]" + type + " = screma [n_1] (xs_2) map (x_5: " + type +
        ") {\n    return x_5 }\n  return t_4 }\n");
    const ScheduleVersions versions = versionsOf(program, {"short_rows", {workgroup}});
    return taken(versions, {{Quantity::kShortRow, 2}, {Quantity::kInnerElements, 1}});
  };
  CHECK(begins(of("[2]f32", 1024), byElements(256, 16)));
  CHECK(begins(of("[2]f64", 1024), byElements(256, 32)));
  CHECK(begins(of("[9]f64", 1024), byElements(128, 40)));
  CHECK(begins(of("[m_9]f32", 1024), byElements(128, 34)));
}

TEST_CASE("cells: a device with small workgroups has legal ones") {
  Limits small;
  small.most_invocations = 128;
  for (const ScheduleVersion& version : versionsOf(line("f32", kShort), {}, small)) {
    CHECK(whyIllegal(version.schedule, small).empty());
  }
}

TEST_CASE("cells: schedules that no device can carry out") {
  const Limits limits;
  const auto message = [&](const Schedule& s) { return whyIllegal(s, limits); };
  MapSchedule map;
  CHECK(message(map).empty());
  map.line = 48;
  CHECK(message(map).find("powers of two") != std::string::npos);
  map = {MapSchedule::Layout::kSingle, 4};
  CHECK(message(map).find("a single cell is one") != std::string::npos);
  map = {MapSchedule::Layout::kVectors, 4};
  CHECK(message(map).find("8 or 16 small elements") != std::string::npos);
  CHECK(message(CellSlotsSchedule{}).find("no invocation has a slot") != std::string::npos);
  StagedCellsSchedule staged;
  CHECK(message(staged).empty());
  staged.rows = 7;
  CHECK(message(staged).find("whole rounds") != std::string::npos);
  staged = {128, 4};
  CHECK(message(staged).find("bytes of shared memory") != std::string::npos);
  RowCellsSchedule rows;
  CHECK(message(rows).find("cells have no rows") != std::string::npos);
  rows.words = 34;
  CHECK(message(rows).empty());
  rows.row = 17;
  CHECK(message(rows).find("2 to 16 elements") != std::string::npos);
  rows = {1, 256, 16, 16, false, 34};
  CHECK(message(rows).find("bytes of shared memory") != std::string::npos);
  rows.workgroup = 257;
  CHECK(message(rows) == "4112 elements of an array, a workgroup moves at most 4096");
  rows.workgroup = 40, rows.is_vector = true;
  CHECK(message(rows) == "vectors are those of 16 cells each");
  rows.workgroup = 128, rows.elements = 64;
  CHECK(message(rows) == "8192 elements of an array, a workgroup moves at most 4096");
  rows.elements = 15;
  CHECK(message(rows) == "a lane has at least one row");
  rows.levels = 0;
  CHECK(message(rows).find("those of a map") != std::string::npos);
  rows.workgroup = 0;
  CHECK(message(rows).find("at least one cell") != std::string::npos);
  GroupSchedule group;
  CHECK(message(group).find("a pool in shared memory has words") != std::string::npos);
  group.words = 100'000;
  CHECK(message(group).find("bytes of shared memory") != std::string::npos);
  group.lanes = 48;
  CHECK(message(group).find("power of two") != std::string::npos);
}

}  // namespace halo::gpu
