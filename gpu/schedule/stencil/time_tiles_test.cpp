// Which versions a loop of stencil steps gets.
#include "gpu/schedule/stencil/time_tiles.h"

#include <doctest/doctest.h>

#include "gpu/schedule/stencil/stencil_legal.h"
#include "gpu/schedule/test_support.h"

namespace halo::gpu {
namespace {

core::Program loopOfPlane() {
  return test::parsedCore(
      "kernel main_1 [n_1][m_2] stencil (n_1: i64, m_2: i64, steps_3: i64, xs_4: "
      "[n_1][m_2]f32) sizes 0 -> ([n_1][m_2]f32) {\n"
      "  r_5: [n_1][m_2]f32 = loop (ys_6: [n_1][m_2]f32 = xs_4) for i_7 < steps_3 "
      "do {\n"
      "    t_8: [n_1][m_2]f32 = stencil [n_1][m_2] (window ys_6 clamp clamp {(-1, "
      "0), (0, 1)}) map (a_9: f32, b_10: f32) {\n"
      "      c_11: f32 = f32.add a_9 b_10\n"
      "      return c_11 }\n"
      "    return t_8 }\n"
      "  return r_5 }\n");
}

KernelChoice choiceOf(const Request& request = {}, const Limits& limits = {}) {
  const core::Program program = loopOfPlane();
  return chooseTimeTiles(program, program.functions[0], limits, request);
}

}  // namespace

TEST_CASE("time tiles: large planes are streamed, small ones are tiled") {
  const KernelChoice choice = choiceOf();
  REQUIRE(choice.versions.size() == 3);
  const auto& aligned = std::get<PlaneStreamSchedule>(choice.versions[0].schedule);
  const auto& copied = std::get<PlaneStreamSchedule>(choice.versions[1].schedule);
  CHECK(!aligned.copies_arrays);
  CHECK(copied.copies_arrays);
  CHECK(aligned.lanes == 32);
  CHECK(std::holds_alternative<OverlappedTileSchedule>(choice.versions[2].schedule));
}

TEST_CASE("time tiles: a block for each power of two of steps") {
  const OverlappedTileSchedule tiles =
      std::get<OverlappedTileSchedule>(choiceOf({"tiles", {}}).versions[0].schedule);
  const int64_t launches = int64_t{1} << (tiles.blocks.size() - 1);
  CHECK(launches == tiles.steps);
  CHECK(whyIllegal(tiles).empty());
  OverlappedTileSchedule fewer = tiles;
  fewer.blocks.pop_back();
  CHECK(!whyIllegal(fewer).empty());
}

TEST_CASE("time tiles: a request forces the steps, and streams of any size") {
  const KernelChoice choice = choiceOf({"plane_stream", {4, 1}});
  const auto& stream = std::get<PlaneStreamSchedule>(choice.versions[0].schedule);
  CHECK(stream.steps == 4);
  CHECK(stream.moves_rows);
  const auto value = [](Quantity which) { return which == Quantity::kElements ? 4096 : 64; };
  CHECK(evaluate(choice.versions[0].guard, value) != 0);
  CHECK(evaluate(choiceOf().versions[0].guard, value) == 0);
}

TEST_CASE("time tiles: blocks and parts of tiles read back as text") {
  ScheduledProgram program{{}, loopOfPlane(), {}};
  program.schedules["main_1"] = choiceOf().versions;
  program.schedules["main_1"].insert(
      program.schedules["main_1"].begin(),
      {Condition(Quantity::kElements) >= 7, RegisterTileSchedule{.edges = {1, 2, 64, 1}}, ""});
  source::Files files;
  const auto read = parseScheduled(files, files.add("test.kernels", print(program)));
  REQUIRE(read);
  CHECK(read->schedules == program.schedules);
}

TEST_CASE("time tiles: without subgroups there are tiles alone") {
  Limits limits;
  limits.subgroup = 0;
  CHECK(choiceOf({}, limits).versions.size() == 1);
}

TEST_CASE("time tiles: streams need the lanes of the device") {
  PlaneStreamSchedule stream = std::get<PlaneStreamSchedule>(choiceOf().versions[0].schedule);
  CHECK(whyIllegal(stream, {}).empty());
  stream.lanes = 16;
  CHECK(!whyIllegal(stream, {}).empty());
}

}  // namespace halo::gpu
