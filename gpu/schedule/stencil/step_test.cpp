// Which tile a stencil step gets, where it fits, and how long its code is.
#include "gpu/schedule/stencil/step.h"

#include <doctest/doctest.h>

#include "gpu/schedule/stencil/tile_code.h"
#include "gpu/schedule/test_support.h"

namespace halo::gpu {
namespace {

using Ends = RegisterTileSchedule::Ends;

// A kernel over a plane of f32: its offsets, its parameters and its cell.
core::Program plane(const std::string& offsets, const std::string& params,
                    const std::string& cell) {
  return test::parsedCore(
      "kernel main_1 [n_1][m_2] stencil (n_1: i64, m_2: i64, xs_3: [n_1][m_2]f32) "
      "sizes 0 -> ([n_1][m_2]f32) {\n"
      "  ys_4: [n_1][m_2]f32 = stencil [n_1][m_2] (window xs_3 clamp clamp {" +
      offsets + "}) map (" + params + ") {\n" + cell +
      " }\n"
      "  return ys_4 }\n");
}

core::Program sumBelow() {
  return plane("(0, 0), (1, 0)", "a_5: f32, b_6: f32",
               "    c_7: f32 = f32.add a_5 b_6\n    return c_7");
}
core::Program sumFar() {
  return plane("(0, 0), (0, 5)", "a_5: f32, b_6: f32",
               "    c_7: f32 = f32.add a_5 b_6\n    return c_7");
}

// The schedule of a launch over rows x columns.
Schedule scheduleFor(const core::Program& program, int64_t rows, int64_t columns,
                     const Request& request = {}) {
  const KernelChoice choice =
      chooseStep(Launches(program), program.functions[0], Limits(), request);
  const auto value = [&](Quantity which) -> int64_t {
    switch (which) {
      case Quantity::kElements:
        return rows * columns;
      case Quantity::kFirstExtent:
        return rows;
      case Quantity::kLastExtent:
        return columns;
      case Quantity::kIsAligned:
        return static_cast<int64_t>(columns % 4 == 0);
      default:
        return 1;
    }
  };
  for (const ScheduleVersion& version : choice.versions) {
    if (evaluate(version.guard, value) != 0) return version.schedule;
  }
  FAIL("no version");
  return {};
}

RegisterTileSchedule tileFor(const core::Program& program, int64_t rows, int64_t columns,
                             const Request& request = {}) {
  const Schedule schedule = scheduleFor(program, rows, columns, request);
  REQUIRE(std::holds_alternative<RegisterTileSchedule>(schedule));
  return std::get<RegisterTileSchedule>(schedule);
}

}  // namespace

TEST_CASE(
    "stencil step: large planes have register tiles, small ones an invocation for each cell") {
  const core::Program program = sumBelow();
  CHECK(std::holds_alternative<MapSchedule>(scheduleFor(program, 1000, 1000)));
  CHECK(std::holds_alternative<MapSchedule>(scheduleFor(program, 2, 4'000'000)));
  CHECK(tileFor(program, 2000, 2000).columns == 4);
  CHECK(tileFor(program, 16, 16, {"rows", {}}).columns == 4);
  CHECK(std::holds_alternative<MapSchedule>(scheduleFor(program, 2000, 2000, {"direct", {}})));
}

TEST_CASE("stencil step: rows of long cells pay earlier") {
  const core::Program program =
      plane("(0, 0), (1, 0)", "a_5: f32, b_6: f32",
            "    c_7: f32 = f32.div a_5 b_6\n    d_8: f32 = f32.div b_6 c_7\n"
            "    e_9: f32 = f32.sqrt d_8\n    return e_9");
  CHECK(tileFor(program, 1000, 1000).columns == 4);
  CHECK(std::holds_alternative<MapSchedule>(scheduleFor(program, 500, 500)));
}

TEST_CASE("stencil step: in space, long cells of 64 bits have an invocation each") {
  const auto hasTiles = [](const std::string& type) {
    std::string text =
        "kernel main_1 [n_1][n_1][n_1] stencil (n_1: i64, xs_3: [n_1][n_1][n_1]T) "
        "sizes 0 -> ([n_1][n_1][n_1]T) {\n"
        "  ys_4: [n_1][n_1][n_1]T = stencil [n_1][n_1][n_1] (window xs_3 clamp clamp clamp "
        "{(0, 0, 0), (1, 0, 0)}) map (a_5: T, b_6: T) {\n"
        "    c_7: T = T.div a_5 b_6\n    d_8: T = T.div b_6 c_7\n"
        "    e_9: T = T.sqrt d_8\n    return e_9 }\n"
        "  return ys_4 }\n";
    for (size_t at = 0; (at = text.find('T', at)) != std::string::npos;) text.replace(at, 1, type);
    const core::Program program = test::parsedCore(text);
    const KernelChoice choice = chooseStep(Launches(program), program.functions[0], Limits(), {});
    return std::holds_alternative<RegisterTileSchedule>(choice.versions[0].schedule);
  };
  CHECK(hasTiles("f32"));
  CHECK(!hasTiles("f64"));
}

TEST_CASE("stencil step: rows that are not whole vectors are unaligned, or done cell by cell") {
  const core::Program program = sumBelow();
  CHECK(tileFor(program, 2000, 2001).is_unaligned);
  CHECK(tileFor(program, 2000, 2001).ends == Ends::kPeeled);
  const RegisterTileSchedule cells = tileFor(program, 2000, 2001, {"rows", {}});
  CHECK(!cells.is_unaligned);
  CHECK(cells.columns == 1);
}

TEST_CASE("stencil step: ends of rows are peeled where they reach further than a vector") {
  CHECK(tileFor(sumBelow(), 2000, 2000).ends == Ends::kLoads);
  CHECK(tileFor(sumFar(), 2000, 2000).ends == Ends::kPeeled);
}

TEST_CASE("stencil step: a request names the shape, `single` none") {
  const core::Program program = sumBelow();
  const RegisterTileSchedule tile = tileFor(program, 2000, 2000, {"rows", {8, 0, 3, 2}});
  CHECK(tile.rows == 8);
  CHECK(tile.prefetch == 3);
  CHECK(tile.height == 2);
  CHECK(tileFor(program, 2000, 2000, {"single", {}}) == tileFor(program, 2000, 2000));
}

TEST_CASE("tile code: neighbouring cells share values") {
  // (above + own) * (own + below): a cell's second sum is the first of the cell below.
  const core::Program program = plane(
      "(-1, 0), (0, 0), (1, 0)", "a_5: f32, b_6: f32, c_7: f32",
      "    d_8: f32 = f32.add a_5 b_6\n    e_9: f32 = f32.add b_6 c_7\n"
      "    f_10: f32 = f32.mul d_8 e_9\n    unused_11: f32 = f32.sub d_8 e_9\n    return f_10");
  RegisterTileSchedule tile;
  tile.rows = 4;
  CHECK(tileCode(program.functions[0], tile, {}) == 3 * 4 - 3);
  tile.columns = 4;
  CHECK(tileCode(program.functions[0], tile, {}) == 4 * (3 * 4 - 3));
}

TEST_CASE("tile code: cells that read stored arrays or branch are no arithmetic") {
  const core::Program sums = sumBelow();
  const auto& stencil = std::get<core::Stencil>(sums.functions[0].body.stms[0].expr);
  CHECK(isArithmetic(sums.functions[0], stencil.map.body));
  const core::Program reads = plane("(0, 0)", "a_5: f32",
                                    "    b_6: f32 = index xs_3[0i64, 0i64]\n"
                                    "    c_7: f32 = f32.add a_5 b_6\n    return c_7");
  const auto& read = std::get<core::Stencil>(reads.functions[0].body.stms[0].expr);
  CHECK(!isArithmetic(reads.functions[0], read.map.body));
}

namespace {

// As many operations one after the other.
core::Program longCell(const std::string& op, int operations) {
  std::string cell, last = "a_5";
  for (int i = 0; i < operations; ++i) {
    const std::string next = "v_" + std::to_string(10 + i);
    cell += "    " + next + ": f32 = f32." + op + " " + last + " b_6\n";
    last = next;
  }
  return plane("(0, 0), (5, 0)", "a_5: f32, b_6: f32", cell + "    return " + last);
}

}  // namespace

TEST_CASE("stencil step: long code halves the rows of a tile") {
  const core::Program program = longCell("sub", 200);
  const RegisterTileSchedule tile = tileFor(program, 2000, 2000);
  CHECK(tile.rows == 2);  // of eight, with four columns: 200 * 32 statements
  CHECK(tileFor(program, 2000, 2000, {"rows", {8}}).rows == 8);
}

TEST_CASE("stencil step: cells with many divisions have an invocation each") {
  CHECK(tileFor(longCell("div", 5), 2000, 2000).columns == 4);
  const core::Program program = longCell("div", 16);  // 16 * 30 statements in 8 cells
  CHECK(std::holds_alternative<MapSchedule>(scheduleFor(program, 2000, 2000)));
  CHECK(tileFor(program, 2000, 2000, {"rows", {}}).columns == 4);
}

}  // namespace halo::gpu
