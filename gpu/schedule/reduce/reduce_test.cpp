// Which schedule a reduction gets, by its operator, its nest, the sizes of a launch and a request.
#include "gpu/schedule/reduce/reduce.h"

#include <doctest/doctest.h>

#include "gpu/schedule/legal.h"
#include "gpu/schedule/legal_reduce.h"
#include "gpu/schedule/reduce/product.h"
#include "gpu/schedule/test_support.h"

namespace halo::gpu {
namespace {

using Sizes = std::map<Quantity, int64_t>;

// Sums of the rows of a matrix.
constexpr char kRowSums[] =
    "kernel main_1 [n_1][m_2] reduce (n_1: i64, m_2: i64, xs_3: [n_1][m_2]f32) -> ([n_1]f32) {\n"
    "  t_4: [n_1]f32 = screma [n_1] (xs_3) map (row_5: [m_2]f32) {\n"
    "    s_6: f32 = screma [m_2] (row_5) reduce f32.add 0f32\n"
    "    return s_6 }\n"
    "  return t_4 }\n";

// The product of a matrix with the transpose of another one.
std::string product(const std::string& type) {
  const std::string mul = type + ".mul", add = type + ".add", zero = "0" + type;
  return "kernel main_1 [n_1][p_2][m_3] reduce (n_1: i64, p_2: i64, m_3: i64, a_4: [n_1][m_3]" +
         type + ", b_5: [p_2][m_3]" + type + ") -> ([n_1][p_2]" + type +
         ") {\n"
         "  t_6: [n_1][p_2]" +
         type + " = screma [n_1] (a_4) map (row_7: [m_3]" + type +
         ") {\n"
         "    u_8: [p_2]" +
         type + " = screma [p_2] (b_5) map (column_9: [m_3]" + type +
         ") {\n"
         "      s_10: " +
         type + " = screma [m_3] (row_7, column_9) map (x_11: " + type + ", y_12: " + type +
         ") { z_13: " + type + " = " + mul + " x_11 y_12; return z_13 } reduce " + add + " " +
         zero +
         "\n"
         "      return s_10 }\n"
         "    return u_8 }\n"
         "  return t_6 }\n";
}

// Sums over a line whose elements read a scalar of their row, their column and their cell; `more`
// statements of the cell before.
std::string ownValues(const std::string& more = "") {
  return "kernel main_1 [n_1][p_2][m_3] reduce (n_1: i64, p_2: i64, m_3: i64, a_4: [n_1][m_3]f32, "
         "b_5: [p_2][m_3]f32, r_6: [n_1]f32, c_7: [p_2]f64) -> ([n_1][p_2]f32) {\n"
         "  t_8: [n_1][p_2]f32 = screma [n_1] (a_4, r_6) map (row_9: [m_3]f32, x_10: f32) {\n"
         "    u_11: [p_2]f32 = screma [p_2] (b_5, c_7) map (column_12: [m_3]f32, y_13: f64) {\n"
         "      z_14: f64 = f64.of_f32 x_10\n"
         "      w_15: f64 = f64.mul y_13 z_14\n" +
         more +
         "      s_16: f32 = screma [m_3] (row_9, column_12) map (a_17: f32, b_18: f32) {\n"
         "        d_19: f32 = f32.sub a_17 x_10\n"
         "        e_20: f32 = f32.mul d_19 b_18\n"
         "        f_21: f64 = f64.of_f32 e_20\n"
         "        g_22: f64 = f64.mul f_21 y_13\n"
         "        h_23: f64 = f64.mul g_22 w_15\n"
         "        i_24: f32 = f32.of_f64 h_23\n"
         "        return i_24 } reduce f32.add 0f32\n"
         "      return s_16 }\n"
         "    return u_11 }\n"
         "  return t_8 }\n";
}

KernelChoice choiceOf(const std::string& text, const Request& request = {},
                      const Limits& limits = {}) {
  const core::Program program = test::parsedCore(text);
  KernelChoice choice = chooseReduce(program, program.functions[0], limits, request);
  for (const ScheduleVersion& version : choice.versions) {
    CHECK(whyIllegal(version.schedule, limits) == "");
  }
  return choice;
}

std::string chosen(const KernelChoice& choice, Sizes sizes) {
  for (const ScheduleVersion& version : choice.versions) {
    if (evaluate(version.guard, [&](Quantity q) { return sizes[q]; }) != 0) {
      return print(version.schedule);
    }
  }
  return "";
}
bool begins(const std::string& text, const std::string& with) { return text.find(with) == 0; }

Sizes rows(int64_t segments, int64_t segment) {
  return {{Quantity::kIsFlat, 1},
          {Quantity::kSegments, segments},
          {Quantity::kSegment, segment},
          {Quantity::kIsSegmentAligned, segment % 4 == 0 ? 1 : 0}};
}

Sizes matrices(int64_t n, int64_t p, int64_t m) {
  Sizes sizes = rows(n * p, m);
  sizes[Quantity::kIsProduct] = sizes[Quantity::kMatrices] = 1;
  sizes[Quantity::kRows] = n;
  sizes[Quantity::kColumns] = p;
  sizes[Quantity::kChunkTiles] = ((n + 63) / 64) * ((p + 63) / 64);
  return sizes;
}

}  // namespace

TEST_CASE("rows: lanes of a subgroup for short ones, workgroups for long ones") {
  const KernelChoice choice = choiceOf(kRowSums);
  CHECK(begins(chosen(choice, rows(1000, 512)), "subgroup_reduce{"));
  CHECK(chosen(choice, rows(1000, 512)).find("is_aligned=true") != std::string::npos);
  CHECK(chosen(choice, rows(1000, 45)).find("segments=1, turns=2") != std::string::npos);
  CHECK(chosen(choice, rows(1000, 47)).find("segments=4, turns=1") != std::string::npos);
  CHECK(begins(chosen(choice, rows(1000, 516)), "workgroup_reduce{order=any"));
  CHECK(begins(chosen(choice, rows(16384, 516)), "subgroup_reduce{"));
  CHECK(begins(chosen(choice, rows(16384, 8196)), "workgroup_reduce{"));
  Sizes apart = rows(1000, 512);
  apart[Quantity::kIsFlat] = 0;
  CHECK(begins(chosen(choice, apart), "reduce{workgroup=256, lanes=256"));
  apart[Quantity::kIsInputStrided] = 1, apart[Quantity::kSegment] = 520;
  CHECK(begins(chosen(choice, apart), "reduce{workgroup=256, lanes=1,"));
}

TEST_CASE("rows whose elements keep their order: a workgroup for long ones, lanes of a run else") {
  std::string text = kRowSums;
  const std::string op = "(a_10: f32, b_11: f32) { c_12: f32 = f32.sub a_10 b_11; return c_12 }";
  text.replace(text.find("f32.add"), 7, op);
  const KernelChoice choice = choiceOf(text);
  CHECK(begins(chosen(choice, rows(1000, 512)), "reduce{"));
  CHECK(begins(chosen(choice, rows(1000, 513)), "workgroup_reduce{order=sequence"));
  const KernelChoice forced = choiceOf(text, {"chunks", {}});
  CHECK(begins(chosen(forced, rows(1000, 5)), "workgroup_reduce{order=sequence"));
}

TEST_CASE("products: the largest tiles of which there are enough, chunks where they are few") {
  const KernelChoice choice = choiceOf(product("f32"));
  CHECK(begins(chosen(choice, matrices(1024, 1024, 1024)), "product{rows=64, columns=128, dep"));
  CHECK(begins(chosen(choice, matrices(640, 640, 1024)), "product{rows=32, columns=32, dep"));
  CHECK(begins(chosen(choice, matrices(4096, 8, 1024)), "split_product{depth=16, is_fused=true"));
  CHECK(begins(chosen(choice, matrices(128, 128, 4096)), "split_product{"));
  CHECK(begins(chosen(choice, matrices(16, 16, 64)), "subgroup_reduce{"));
  CHECK(begins(chosen(choiceOf(product("i32")), matrices(4096, 4096, 1024)), "product{rows=256,"));
}

TEST_CASE("products: slices of a workgroup where rows and columns are few") {
  const KernelChoice choice = choiceOf(product("f32"));
  const auto is_sliced = [&](Sizes sizes) {
    const std::string text = chosen(choice, std::move(sizes));
    return begins(text, "split_product{") && text.find("blocks=slices") != std::string::npos;
  };
  CHECK(is_sliced(matrices(16, 16, 1 << 20)));
  CHECK(is_sliced(matrices(2, 64, 1 << 20)));
  CHECK(is_sliced(matrices(64, 32, 1 << 12)));
  CHECK(!is_sliced(matrices(1, 16, 1 << 20)));
  CHECK(!is_sliced(matrices(2, 3, 1 << 20)));
  CHECK(!is_sliced(matrices(65, 16, 1 << 20)));
  CHECK(!is_sliced(matrices(33, 33, 1 << 20)));
  CHECK(!is_sliced(matrices(16, 16, 4096)));
  Sizes batch = matrices(16, 16, 128);
  CHECK(!is_sliced(batch));
  batch[Quantity::kMatrices] = 1000;
  CHECK(is_sliced(batch));
  batch[Quantity::kSegment] = 127;
  CHECK(!is_sliced(batch));
  const auto of = [&](const std::string& type) {
    return chosen(choiceOf(product(type)), matrices(16, 16, 1 << 20));
  };
  CHECK(begins(of("f32"), "split_product{depth=8"));
  CHECK(begins(of("f64"), "split_product{depth=4"));
}

TEST_CASE("products: many small ones of a batch share workgroups") {
  const KernelChoice choice = choiceOf(
      "kernel main_1 [b_0][n_1][p_2][m_3] reduce (b_0: i64, n_1: i64, p_2: i64, m_3: i64, "
      "a_4: [b_0][n_1][m_3]f32, b_5: [b_0][p_2][m_3]f32) -> ([b_0][n_1][p_2]f32) {\n"
      "  r_14: [b_0][n_1][p_2]f32 = screma [b_0] (a_4, b_5) map (x_15: [n_1][m_3]f32, "
      "y_16: [p_2][m_3]f32) {\n"
      "    t_6: [n_1][p_2]f32 = screma [n_1] (x_15) map (row_7: [m_3]f32) {\n"
      "      u_8: [p_2]f32 = screma [p_2] (y_16) map (column_9: [m_3]f32) {\n"
      "        s_10: f32 = screma [m_3] (row_7, column_9) map (x_11: f32, y_12: f32) { z_13: f32 = "
      "f32.mul x_11 y_12; return z_13 } reduce f32.add 0f32\n"
      "        return s_10 }\n      return u_8 }\n    return t_6 }\n  return r_14 }\n");
  const auto of = [&](int64_t count, Sizes sizes) {
    sizes[Quantity::kMatrices] = count;
    const std::string text = chosen(choice, std::move(sizes));
    const size_t at = text.find("matrices=");
    return at == std::string::npos ? "none" : text.substr(at, text.size() - at - 1);
  };
  CHECK(of(4096, matrices(8, 8, 8)) == "matrices=32");
  CHECK(of(4096, matrices(9, 8, 8)) == "matrices=8");
  CHECK(of(4096, matrices(17, 32, 64)) == "matrices=2");
  CHECK(of(4095, matrices(8, 8, 8)) == "none");
  CHECK(of(4096, matrices(8, 8, 3)) == "none");
  CHECK(of(4096, matrices(16, 16, 65)) == "none");
  CHECK(of(4096, matrices(3, 5, 8)) == "none");
  ProductSchedule slices{16, 16, 8, 4, 4, 4};
  slices.matrices = 2, slices.slices = 2;
  CHECK(whyIllegal(slices) == "a workgroup has at least one product, or slices of one");
  slices.matrices = 0;
  CHECK(whyIllegal(slices) == "a workgroup has at least one product, or slices of one");
}

TEST_CASE("products: values of rows, columns and cells stay in registers") {
  const KernelChoice choice = choiceOf(ownValues());
  const std::string small = chosen(choice, matrices(640, 640, 1024));
  CHECK(begins(small, "product{rows=64, columns=64, depth=8, cell_rows=4, cell_columns=4"));
  CHECK(small.find("row_values=1, column_values=2, cell_values=2, matrices=1}") !=
        std::string::npos);
  const std::string split = chosen(choice, matrices(128, 128, 4096));
  CHECK(begins(split, "split_product{"));
  CHECK(split.find("cell_values=2, blocks=small}") != std::string::npos);
  CHECK(print(choiceOf(product("f32")).versions[0].schedule).find("values") == std::string::npos);
  // What cells compute before their elements is text of every cell.
  std::string long_code;
  for (int k = 0; k < 250; ++k) {
    const std::string name = "v_" + std::to_string(100 + k);
    long_code += "      " + name + ": f64 = f64.add w_15 " + std::to_string(k) + "f64\n";
  }
  const KernelChoice long_cells = choiceOf(ownValues(long_code));
  CHECK(begins(chosen(long_cells, matrices(640, 640, 1024)), "subgroup_reduce{"));
}

TEST_CASE("requests force a family of versions, or a number of it") {
  const KernelChoice tile = choiceOf(product("f32"), {"products", {3}});
  CHECK(print(tile.versions[0].schedule).find("product{rows=64, columns=64, depth=16") == 0);
  const KernelChoice split = choiceOf(product("f32"), {"split", {3}});
  CHECK(std::get<SplitProductSchedule>(split.versions[0].schedule).chunks == 3);
  const KernelChoice lanes = choiceOf(kRowSums, {"lanes", {6, 3, 2}});
  const auto& s = std::get<SubgroupReduceSchedule>(lanes.versions[0].schedule);
  CHECK(s == SubgroupReduceSchedule{256, 32, 4, 3, 2, true});
  const KernelChoice plain = choiceOf(product("f32"), {"plain", {}});
  for (const ScheduleVersion& version : plain.versions) {
    CHECK(std::holds_alternative<ReduceSchedule>(version.schedule));
  }
}

TEST_CASE("the last workgroup combines the chunks of a whole reduction of few words") {
  const std::string sum =
      "kernel main_1 [n_1] reduce (n_1: i64, xs_2: [n_1]f32) -> (f32) {\n"
      "  s_3: f32 = screma [n_1] (xs_2) reduce f32.add 0f32\n"
      "  return s_3 }\n";
  const auto finishes = [](const KernelChoice& choice) {
    return print(choice.versions.back().schedule).find("finish=last_workgroup") !=
           std::string::npos;
  };
  CHECK(finishes(choiceOf(sum)));
  CHECK(finishes(choiceOf(sum, {"chunks", {1}})));
  CHECK(!finishes(choiceOf(sum, {"chunks", {2}})));
  CHECK(!finishes(choiceOf(sum, {"plain", {}})));
  CHECK(finishes(choiceOf(sum, {"plain", {1}})));
  CHECK(!finishes(choiceOf(kRowSums)));
  const std::string of_loops =
      "kernel main_1 [n_1] reduce (n_1: i64, ks_2: [n_1]i64) -> (f32) {\n"
      "  s_3: f32 = screma [n_1] (ks_2) map (k_4: i64) {\n"
      "    e_5: f32 = loop (x_6: f32 = 1f32) for i_7 < k_4 do {\n"
      "      y_8: f32 = f32.mul x_6 0.5f32\n"
      "      return y_8 }\n"
      "    return e_5 } reduce f32.add 0f32\n"
      "  return s_3 }\n";
  CHECK(!finishes(choiceOf(of_loops)));
  CHECK(finishes(choiceOf(of_loops, {"plain", {1}})));
  Limits silent;
  silent.groups_talk = false;
  CHECK(!finishes(choiceOf(sum, {}, silent)));
  WorkgroupReduceSchedule s;
  s.lanes = silent.subgroup;
  s.workgroups = 8;
  s.finish = Finish::kLastWorkgroup;
  CHECK(whyIllegal(s, silent) == "the last workgroup needs device-scope atomics");
  CHECK(whyIllegal(s, Limits{}) == "");
  const core::Program rows = test::parsedCore(kRowSums);
  CHECK(whyIllegal(s, rows.functions[0]) ==
        "the last workgroup combines one segment, the nest has several");
}

TEST_CASE("whole reductions of few long elements spread them over the device") {
  const auto has = [](const KernelChoice& choice, const std::string& text) {
    for (const ScheduleVersion& version : choice.versions) {
      if (print(version.schedule).find(text) != std::string::npos) return true;
    }
    return false;
  };
  const std::string sum =
      "kernel main_1 [n_1] reduce (n_1: i64, xs_2: [n_1]f32) -> (f32) {\n"
      "  s_3: f32 = screma [n_1] (xs_2) reduce f32.add 0f32\n"
      "  return s_3 }\n";
  CHECK(has(choiceOf(sum), "workgroups=1024, short_chunks=0"));
  CHECK(has(choiceOf(sum, {"chunks", {1, 131072}}), "workgroups=1024, short_chunks=131072"));
  CHECK(has(choiceOf(kRowSums, {"chunks", {}}), "workgroups=1024, short_chunks=0"));
  std::string dear;  // too long for vectors
  for (int k = 0; k < 60; ++k) {
    const std::string at = std::to_string(10 + k), before = k == 0 ? "4" : std::to_string(9 + k);
    dear += "    y_" + at + ": i64 = i64.mul y_" + before + " 3i64\n";
  }
  const std::string of_long_code =
      "kernel main_1 [n_1] reduce (n_1: i64, xs_2: [n_1]i64) -> (i64) {\n"
      "  s_3: i64 = screma [n_1] (xs_2) map (y_4: i64) {\n" +
      dear +
      "    return y_69 } reduce i64.add 0i64\n"
      "  return s_3 }\n";
  CHECK(has(choiceOf(of_long_code), "elements=1, chunk_elements=16, few_chunks=256,"));
  CHECK(
      has(choiceOf(of_long_code, {"plain", {}}), "elements=16, chunk_elements=16, few_chunks=0,"));
}

TEST_CASE("small devices: smaller steps, and no lanes without shuffles") {
  Limits small;
  small.shared_bytes = 12 * 1024;
  const KernelChoice choice = choiceOf(product("f32"), {}, small);
  CHECK(begins(chosen(choice, matrices(1024, 1024, 1024)), "product{rows=64, columns=64, depth=8"));
  Limits alone;
  alone.subgroup = 0;
  for (const ScheduleVersion& version : choiceOf(kRowSums, {}, alone).versions) {
    CHECK(!std::holds_alternative<SubgroupReduceSchedule>(version.schedule));
    CHECK(!std::holds_alternative<WorkgroupReduceSchedule>(version.schedule));
  }
}

TEST_CASE("short columns: lanes of a run are at a stride, so that no chunks need a second launch") {
  const auto columns = [](int64_t length, int64_t count) {
    return Sizes{
        {Quantity::kSegment, length}, {Quantity::kSegments, count}, {Quantity::kIsInputStrided, 1}};
  };
  const KernelChoice choice = choiceOf(kRowSums);
  const std::string apart = "reduce{workgroup=256, lanes=32, run_lanes=strided, elements=8,";
  CHECK(begins(chosen(choice, columns(64, 32)), apart));
  CHECK(begins(chosen(choice, columns(512, 1000)), apart));
  CHECK(begins(chosen(choice, columns(31, 1000)), "reduce{workgroup=256, lanes=1, elements=16"));
  CHECK(begins(chosen(choice, columns(513, 1000)), "reduce{workgroup=256, lanes=1, elements=16"));
  CHECK(begins(chosen(choice, columns(64, 16385)), "reduce{workgroup=256, lanes=1, elements=16"));
  CHECK(begins(chosen(choiceOf(kRowSums, {"plain", {}}), columns(64, 32)),
               "reduce{workgroup=256, lanes=1, elements=16"));
  ReduceSchedule s;
  s.invocations = 1, s.run_lanes = ReduceSchedule::RunLanes::kStrided;
  CHECK(whyIllegal(s, Limits{}) == "");
  s.tile.levels = {{0, 4}};
  CHECK(whyIllegal(s, Limits{}) == "lanes of a tile are neighbours");
  s.tile.levels.clear();
  const core::Program whole = test::parsedCore(
      "kernel main_1 [n_1] reduce (n_1: i64, xs_2: [n_1]f32) -> (f32) {\n"
      "  s_3: f32 = screma [n_1] (xs_2) reduce f32.add 0f32\n"
      "  return s_3 }\n");
  CHECK(whyIllegal(s, whole.functions[0]) == "the only segment has no neighbours");
}

TEST_CASE("the rules of legal schedules") {
  Limits limits;
  CHECK(whyIllegal(ProductSchedule{64, 128, 16, 8, 8}) == "");
  CHECK(whyIllegal(ProductSchedule{64, 80, 16, 8, 8}) ==
        "a tile is not whole rectangles of invocations");
  CHECK(whyIllegal(ProductSchedule{64, 128, 24, 8, 8}) == "24 elements of a line are no step");
  CHECK(whyIllegal(ProductSchedule{64, 128, 16, 6, 8}) ==
        "an invocation has blocks of 4 x 4 cells");
  ProductSchedule values{64, 128, 16, 8, 8};
  values.values.of_cell.words = 3;
  ProductSchedule slices{16, 16, 16, 4, 4, 4};
  slices.slices = 6;
  CHECK(whyIllegal(slices) == "slices of a chunk and their invocations are powers of two");
  slices.slices = 8, slices.lane_rows = 8;
  CHECK(whyIllegal(slices) == "a tile is not whole rectangles of invocations");
  CHECK(whyIllegal(values) == "192 words of rows, columns and cells do not fit registers");
  SubgroupReduceSchedule subgroup;
  subgroup.lanes = 16;
  CHECK(whyIllegal(subgroup, limits) == "16 lanes exchange values, a subgroup has 32");
  subgroup.lanes = 32, subgroup.run = 3;
  CHECK(whyIllegal(subgroup, limits) == "a run of 3 lanes is no part of a subgroup");
  WorkgroupReduceSchedule workgroup;
  workgroup.lanes = 32, workgroup.vectors = 3;
  CHECK(whyIllegal(workgroup, limits) ==
        "a tree combines the vectors of a lane: they are a power of two");
  ColumnReduceSchedule columns;
  CHECK(whyIllegal(columns) == "");
  columns.columns = 1;
  CHECK(whyIllegal(columns) == "a step has at least one row of two columns");
  columns.columns = 64, columns.together = 17;
  CHECK(whyIllegal(columns) == "1 to 16 elements are under way together");
  columns.together = 8, columns.neighbours = 4;
  CHECK(whyIllegal(columns) == "1 to 16 elements are under way together");
  columns.neighbours = 3;
  CHECK(whyIllegal(columns) == "a load has one element, or four");
  columns.neighbours = 4, columns.elements = 2;
  CHECK(whyIllegal(columns) == "a lane has at least one load");
  columns.workgroup = 512;
  CHECK(whyIllegal(columns) == "steps of rows have workgroups of 256");
  ReduceSchedule runs;
  runs.invocations = 1, runs.lanes = 512;
  CHECK(whyIllegal(runs, limits) == "a run of 512 lanes is no part of a workgroup");
}

TEST_CASE("reduce: few columns are read by whole rows") {
  const KernelChoice sums = choiceOf(kRowSums);
  const auto of = [&](int64_t columns, int64_t rows) {
    return chosen(sums, {{Quantity::kIsInputStrided, 1},
                         {Quantity::kSegments, columns},
                         {Quantity::kSegment, rows}});
  };
  CHECK(of(3, 100'000).find("column_reduce{workgroup=256, columns=64") == 0);
  CHECK(of(3, 100'000).find("neighbours=1") != std::string::npos);
  const std::string dense = chosen(sums, {{Quantity::kIsInputStrided, 1},
                                          {Quantity::kAreRowsDense, 1},
                                          {Quantity::kSegments, 3},
                                          {Quantity::kSegment, 100'000}});
  CHECK(dense.find("together=4, neighbours=4") != std::string::npos);
  CHECK(of(64, 4096).find("column_reduce") == 0);
  CHECK(of(65, 100'000).find("reduce{workgroup=256, lanes=1,") == 0);
  CHECK(of(1, 1'000'000).find("reduce{") == 0);
  CHECK(of(3, 87'381).find("reduce{") == 0);  // elements of fewer than 64 workgroups
}

TEST_CASE("reduce: short rows have an invocation each, but for what lanes share") {
  std::string in_order = kRowSums;
  const std::string add = "f32.add 0f32";
  in_order.replace(in_order.find(add), add.size(),
                   "(a_7: f32, b_8: f32) { c_9: f32 = f32.sub a_7 b_8; return c_9 } 0f32");
  const KernelChoice ordered = choiceOf(in_order), sums = choiceOf(kRowSums);
  const auto of = [](const KernelChoice& choice, int64_t row, int64_t cells) {
    return chosen(choice, {{Quantity::kIsFlat, 1},
                           {Quantity::kShortRow, row},
                           {Quantity::kInnerElements, row},
                           {Quantity::kSegment, row},
                           {Quantity::kSegments, cells},
                           {Quantity::kOuterCells, cells}});
  };
  CHECK(of(ordered, 3, 32'768).find("row_cells") == 0);
  CHECK(of(ordered, 16, 32'768).find("row_cells") == 0);
  CHECK(of(ordered, 17, 32'768).find("reduce{") == 0);
  CHECK(of(ordered, 3, 32'767).find("reduce{") == 0);
  CHECK(of(sums, 3, 32'768).find("row_cells") == 0);
  CHECK(of(sums, 4, 32'768).find("subgroup_reduce") == 0);
}

}  // namespace halo::gpu
