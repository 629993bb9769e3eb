// Which schedule scans get: of columns by their sizes, others by the words of an element.
#include "gpu/schedule/scan.h"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <string>

#include "gpu/schedule/test_support.h"

#include "gpu/schedule/legal.h"
#include "gpu/schedule/test_support.h"

namespace halo::gpu {
namespace {

using Tile = ColumnScanSchedule::Tile;

Limits hardware() {
  Limits limits;
  limits.groups_finish = true;
  return limits;
}

struct Columns {
  int64_t outer, rows, together;
  bool fits = true;
};

// Nothing where the scan is none of columns.
std::optional<Tile> tileOf(const Columns& columns, const ColumnScanTraits& traits = {},
                           const Limits& limits = hardware()) {
  std::map<Quantity, int64_t> sizes = {
      {Quantity::kSegments, columns.outer * columns.together},
      {Quantity::kSegment, columns.rows},
      {Quantity::kNeighbours, columns.together},
      {Quantity::kIsStrided, 1},
      {Quantity::kAreRowsDense, columns.fits ? 1 : 0},
      {Quantity::kIsRowAligned, columns.fits && columns.together % 4 == 0 ? 1 : 0}};
  for (const ScheduleVersion& version : columnScanVersions(traits, limits, {})) {
    if (evaluate(version.guard, [&](Quantity q) { return sizes[q]; }) == 0) continue;
    return std::get<ColumnScanSchedule>(version.schedule).tile;
  }
  return std::nullopt;
}

// The tile of a scan that adds tuples of so many numbers, over so many elements.
std::string tileOfWords(int words, int64_t elements = int64_t{1} << 26) {
  const auto joined = [&](const std::function<std::string(std::string)>& one) {
    std::string all;
    for (int k = 0; k < words; ++k) all += (k > 0 ? ", " : "") + one(std::to_string(k));
    return all;
  };
  std::string sums;
  for (int k = 0; k < words; ++k) {
    const std::string n = std::to_string(k);
    sums += "    s_4" + n + ": f32 = f32.add a_2" + n + " b_3" + n + "\n";
  }
  const std::string arrays = joined([](const std::string&) { return "[n_1]f32"; });
  const std::string text =
      "entry main(n_100: i64, xs_101: [n_100]f32) -> (" +
      joined([](const std::string&) { return "[n_100]f32"; }) + ") {\n  (" +
      joined([](const std::string& n) { return "r_11" + n + ": [n_100]f32"; }) +
      ") = call main_1 (n_100, xs_101)\n  return " +
      joined([](const std::string& n) { return "r_11" + n; }) +
      " }\n\nkernel main_1 [n_1] scan (n_1: i64, xs_5: [n_1]f32) -> (" + arrays + ") {\n  (" +
      joined([](const std::string& n) { return "t_6" + n + ": [n_1]f32"; }) +
      ") = screma [n_1] (xs_5) map (x_7: f32) { return " +
      joined([](const std::string&) { return "x_7"; }) + " } scan (" +
      joined([](const std::string& n) { return "a_2" + n + ": f32"; }) + ", " +
      joined([](const std::string& n) { return "b_3" + n + ": f32"; }) + ") {\n" + sums +
      "    return " + joined([](const std::string& n) { return "s_4" + n; }) + " } (" +
      joined([](const std::string&) { return "0f32"; }) + ")\n  return " +
      joined([](const std::string& n) { return "t_6" + n; }) + " }\n";
  const core::Program program = test::parsedCore(text);
  const KernelChoice choice = chooseScan(program, program.functions[1], hardware(), {});
  for (const ScheduleVersion& version : choice.versions) {
    if (evaluate(version.guard, [&](Quantity) { return elements; }) == 0) continue;
    const auto& scan = std::get<ScanSchedule>(version.schedule);
    const std::string sums = scan.sums == ScanSchedule::Sums::kTree ? " as a tree" : "";
    return std::to_string(scan.workgroup) + " x " + std::to_string(scan.elements) + sums;
  }
  return "none";
}

constexpr ColumnScanTraits kLong{2, true, 8, true};
constexpr ColumnScanTraits kDoubles{2, false, 8, true};

// The tile of a scan of pairs by an operator on both, or of numbers by an addition.
ScanSchedule tileOfScan(bool has_pairs, const Request& request = {}) {
  const std::string sum =
      "  ys_3: [n_1]f32 = screma [n_1] (xs_2) scan f32.add 0f32\n"
      "  return ys_3 }\n";
  const std::string pairs =
      "  (ys_3: [n_1]f32, zs_4: [n_1]f32) = screma [n_1] (xs_2, xs_2) scan (a_5: f32, b_6: f32, "
      "c_7: "
      "f32, d_8: f32) {\n"
      "    t_9: f32 = f32.mul a_5 c_7\n"
      "    u_10: f32 = f32.mul b_6 c_7\n"
      "    v_11: f32 = f32.add u_10 d_8\n"
      "    return t_9, v_11 } (1f32, 0f32)\n"
      "  return ys_3 }\n";
  const core::Program program =
      test::parsedCore("kernel main_1 [n_1] scan (n_1: i64, xs_2: [n_1]f32) -> ([n_1]f32) {\n" +
                       (has_pairs ? pairs : sum));
  const KernelChoice choice = chooseScan(program, program.functions[0], hardware(), request);
  return std::get<ScanSchedule>(choice.versions.back().schedule);
}

// A filter, whose map has a check of its own or none.
KernelChoice chosenFilter(const Request& request, const Limits& limits, bool has_check = false) {
  const std::string check = "    assert f_6 H7001 (0i64, n_1) @?\n";
  const core::Program program = test::parsedCore(
      "kernel main_1 [n_1] scan (n_1: i64, xs_2: [n_1]i32, to_3: *[n_1]i32) sizes 0 -> "
      "([n_1]i32, i64) {\n"
      "  (count_4: i64, ends_5: [n_1]i64, flags_8: [n_1]i64) = screma [n_1] (xs_2) map (x_7: i32) "
      "{\n"
      "    f_6: bool = i32.ne x_7 0i32\n" +
      (has_check ? check : std::string()) +
      "    g_9: i64 = select f_6 1i64 0i64\n"
      "    return g_9, g_9, g_9 } reduce i64.add 0i64 scan i64.add 0i64\n"
      "  kept_10: [n_1]i32 = scatter [n_1] (flags_8, ends_5, xs_2) map (a_11: i64, b_12: i64, "
      "c_13: i32) {\n"
      "    d_14: bool = i64.eq a_11 1i64\n"
      "    e_15: i64 = i64.sub b_12 1i64\n"
      "    p_16: i64 = select d_14 e_15 -1i64\n"
      "    return p_16, c_13 } into (to_3 1)\n"
      "  return kept_10, count_4 }\n");
  return chooseScanScatter(program, program.functions[0], limits, request);
}
CompactionSchedule compactionOf(const ScheduleVersion& version) {
  return std::get<CompactionSchedule>(version.schedule);
}

}  // namespace

TEST_CASE("tiles have a tree of sums on request") {
  using Sums = ScanSchedule::Sums;
  CHECK(tileOfScan(false).sums == Sums::kInOrder);
  CHECK(tileOfScan(true).sums == Sums::kInOrder);
  const ScanSchedule tree = tileOfScan(true, {"one_pass", {256, 6, 1, 1}});
  CHECK(tree.sums == Sums::kTree);
  CHECK(tree.workgroup == 256);
  CHECK(tree.elements == 24);
  CHECK(tree.lookback_tiles == 32);
  CHECK(tileOfScan(true, {"one_pass", {64, 1, 2, 2}}).sums == Sums::kInOrder);
  CHECK(tileOfScan(true, {"one_pass", {64, 1, 2, 2}}).lookback_tiles == 2);
  CHECK(tileOfScan(false, {"one_pass", {64, 1, 2, 1}}).sums == Sums::kTree);
}

TEST_CASE("a tree of sums is one of lanes") {
  ScanSchedule tree = tileOfScan(true, {"one_pass", {256, 6, 1, 1}});
  CHECK(whyIllegal(tree, hardware()).empty());
  tree.lookback_tiles = 16;
  CHECK(whyIllegal(tree, hardware()) == "a lane has a tile of a block");
  tree = tileOfScan(true, {"one_pass", {256, 6, 1, 1}});
  tree.carry = ScanSchedule::Carry::kNone;
  CHECK(whyIllegal(tree, hardware()) == "only tiles that look back have a tree of sums");
  tree = tileOfScan(true, {"one_pass", {256, 6, 1, 1}});
  Limits small = hardware();
  small.subgroup = tree.lanes = tree.lookback_tiles = 8;
  CHECK(whyIllegal(tree, small) == "more subgroups than lanes that add their sums");
}

TEST_CASE("tiles that look back are as large as registers allow") {
  CHECK(tileOfWords(2) == "1024 x 16");
  CHECK(tileOfWords(3) == "512 x 16");
  CHECK(tileOfWords(8) == "512 x 16");
  CHECK(tileOfWords(9) == "512 x 4");
}

TEST_CASE("few elements of two to eight words have small tiles") {
  constexpr int64_t kFew = int64_t{1} << 20;
  CHECK(tileOfWords(1, kFew) == tileOfWords(1));
  for (int words : {2, 3, 4}) {
    CHECK(tileOfWords(words, kFew) == "256 x 8 as a tree");
    CHECK(tileOfWords(words, kFew + 1) == tileOfWords(words));
  }
  for (int words : {5, 8}) {
    CHECK(tileOfWords(words, kFew) == "256 x 4 as a tree");
    CHECK(tileOfWords(words, kFew + 1) == tileOfWords(words));
  }
  CHECK(tileOfWords(9, kFew) == tileOfWords(9));
}

TEST_CASE("scans in front of maps and scatters have versions that are legal") {
  const std::string scan = "  ys_3: [n_1]i64 = screma [n_1] (xs_2) scan i64.add 0i64\n";
  const std::string map =
      "  zs_4: [n_1]i64 = screma [n_1] (ys_3) map (y_5: i64) {\n"
      "    z_6: i64 = i64.mul y_5 2i64\n"
      "    return z_6 }\n";
  const std::string scatter =
      "  zs_4: [n_1]i64 = scatter [n_1] (ys_3, xs_2) map (y_5: i64, x_6: i64) { return y_5, x_6 } "
      "into "
      "(d_7 1)\n";
  for (const bool scatters : {false, true}) {
    const std::string more = scatters ? ", d_7: *[n_1]i64" : "", other = scatters ? ", d_12" : "";
    const core::Program program = test::parsedCore(
        "entry main(n_10: i64, xs_11: [n_10]i64" +
        std::string(scatters ? ", d_12: *[n_10]i64" : "") +
        ") -> ([n_10]i64) {\n  r_13: [n_10]i64 = call main_1 (n_10, xs_11" + other +
        ")\n  return r_13 }\n\nkernel main_1 [n_1] scan (n_1: i64, xs_2: [n_1]i64" + more +
        ") -> ([n_1]i64) {\n" + scan + (scatters ? scatter : map) + "  return zs_4 }\n");
    Variants variants;
    static_cast<Limits&>(variants) = hardware();
    const ScheduledProgram made = scheduled(program, variants);
    REQUIRE(made.schedules.at("main_1").size() == 2);
    CHECK(verify(made));
  }
}

TEST_CASE("filters are one pass that looks back at blocks of tiles") {
  using Carry = CompactionSchedule::Carry;
  const ScheduleVersions versions = chosenFilter({}, hardware()).versions;
  REQUIRE(versions.size() == 2);
  CHECK(compactionOf(versions[0]).carry == Carry::kLookback);
  CHECK(compactionOf(versions[0]).hasBlocks());
  CHECK(versions[0].guard == (Condition(Quantity::kSegment) <= (int64_t{1} << 31) - 1));
  CHECK(compactionOf(versions[1]).carry == Carry::kCounted);
  const ScheduleVersions forced = chosenFilter({"compact", {8, 0, 64, 2}}, Limits()).versions;
  REQUIRE(forced.size() == 2);
  CHECK(compactionOf(forced[0]).carry == Carry::kLookback);
  CHECK(forced[0].guard == versions[0].guard);
  CHECK(compactionOf(forced[0]).lookback_tiles == 2);
}

TEST_CASE("filters with checks, or where workgroups may not wait, are counted first") {
  for (const bool has_check : {false, true}) {
    const Limits limits = has_check ? hardware() : Limits();
    const ScheduleVersions versions = chosenFilter({}, limits, has_check).versions;
    REQUIRE(versions.size() == 1);
    CHECK(compactionOf(versions[0]).carry == CompactionSchedule::Carry::kCounted);
  }
}

TEST_CASE("columns side by side are scanned in tiles") {
  CHECK(tileOf({1, 16384, 16384}) == Tile::kWideColumns);
  CHECK(tileOf({20, 16384, 1000}) == Tile::kWideColumns);
  CHECK(tileOf({1, 1000, 1000}) == Tile::kColumns);
  CHECK(tileOf({1, 1 << 20, 256}) == Tile::kVectors);
  CHECK(tileOf({1, 1 << 20, 256, false}) == Tile::kColumns);
  CHECK(tileOf({1, 1 << 15, 256}) == Tile::kColumns);
  CHECK(tileOf({1, 1 << 22, 64}) == Tile::kVectors);
}

TEST_CASE("long elements go by vectors, where many columns lie side by side") {
  CHECK(tileOf({1, 16384, 8192}, kLong) == Tile::kWideVectors);
  CHECK(tileOf({1, 16384, 8192, false}, kLong) == Tile::kWideColumns);
  CHECK(tileOf({1, 16384, 8191}, kLong) == Tile::kWideColumns);
  CHECK(tileOf({1, 1 << 20, 256}, kLong) == Tile::kColumns);
}

TEST_CASE("few columns go by vectors, if there are enough of them") {
  CHECK(tileOf({1, 1 << 26, 4}) == Tile::kStagedVectors);
  CHECK(tileOf({1, 1 << 18, 4}) == Tile::kStagedVectors);
  CHECK(tileOf({1, 1 << 18, 4}, kDoubles) == Tile::kChunks);
  CHECK(tileOf({1, 1 << 20, 4}, kDoubles) == Tile::kVectors);
  for (int64_t together : {8, 12, 16}) {
    CHECK(tileOf({1, 1 << 20, together}) == Tile::kVectors);
    CHECK(tileOf({1, 1000, together}) == Tile::kChunks);
    CHECK(tileOf({1, 1 << 20, together, false}) == Tile::kChunks);
  }
}

TEST_CASE("narrow columns go by whole rows, if there are enough elements") {
  for (int64_t together : {5, 7, 15}) {
    CHECK(tileOf({1, 1 << 20, together}) == Tile::kNarrow);
    CHECK(tileOf({1, 1 << 20, together}, kDoubles) == Tile::kNarrow);
    CHECK(tileOf({1, 1000, together}) == Tile::kChunks);
    CHECK(tileOf({1, 1 << 20, together, false}) == Tile::kChunks);
  }
  CHECK(tileOf({1, 1 << 20, 17}) == Tile::kChunks);
}

TEST_CASE("two or three columns go by whole rows") {
  for (int64_t together : {2, 3}) {
    CHECK(tileOf({1, 65, together}) == Tile::kNarrow);
    CHECK(tileOf({300, 1 << 20, together}) == Tile::kNarrow);
    CHECK(tileOf({1, 1 << 20, together, false}) == Tile::kStaged);
    CHECK(tileOf({1, 64, together}) == std::nullopt);
    CHECK(tileOf({1, 1 << 20, together}, {}, Limits{}) == std::nullopt);
  }
  CHECK(tileOf({1, 1 << 20, 1}) == std::nullopt);
}

TEST_CASE("a narrow tile has as many rows as shared memory has room for") {
  const auto narrow = [](int64_t bytes, std::vector<int64_t> numbers) {
    const ColumnScanTraits traits{1, bytes == 4, bytes, true};
    const auto versions = columnScanVersions(traits, hardware(), {"column_vectors", numbers});
    return std::get<ColumnScanSchedule>(versions[0].schedule);
  };
  CHECK(narrow(4, {0, 0, 4}).rows == 27);
  CHECK(narrow(8, {0, 0, 4}).rows == 11);
  CHECK(narrow(1, {0, 0, 4}).rows == 31);
  CHECK(narrow(4, {64, 8, 4}).rows == 7);
  CHECK(narrow(4, {64, 8, 4}).lookback_lanes == 4);
  ColumnScanSchedule tile = narrow(4, {0, 0, 4});
  CHECK(tile.tile == Tile::kNarrow);
  CHECK(whyIllegal(tile, hardware()).empty());
  tile.rows = 26;
  CHECK(whyIllegal(tile, hardware()) == "narrow parts have an odd number of rows");
  tile.rows = 27;
  tile.columns = 33;
  CHECK(whyIllegal(tile, hardware()) == "lanes of a subgroup have a row of a narrow tile");
  tile.columns = 32;
  tile.lookback_lanes = 16;
  CHECK(whyIllegal(tile, hardware()) == "fewer invocations than columns that look back");
}

TEST_CASE("many columns, few and short ones need no tiles") {
  for (int64_t together : {20, 32, 63}) {
    CHECK(tileOf({1, 1 << 20, together}) == Tile::kChunks);
  }
  CHECK(tileOf({512, 512, 1024}) == Tile::kChunks);
  CHECK(tileOf({1 << 16, 4096, 4}) == Tile::kChunks);
  CHECK(tileOf({1, 64, 5000}) == Tile::kChunks);
  CHECK(tileOf({1, 1, 4}) == Tile::kChunks);
  CHECK(tileOf({1, 1, 3}) == std::nullopt);
}

TEST_CASE("where workgroups may not wait, columns are scanned in chunks") {
  CHECK(tileOf({1, 16384, 16384}, {}, Limits{}) == Tile::kChunks);
  CHECK(tileOf({1, 16384, 16384}, {1, true, 4, false}) == Tile::kChunks);
}

TEST_CASE("chunks of columns have eight words under way, code that may not repeat has one row") {
  const auto together = [](size_t words, bool is_straight) {
    ColumnScanTraits traits;
    traits.words = words;
    traits.is_straight = is_straight;
    const ScheduleVersions versions = columnScanVersions(traits, {}, {"columns", {}});
    return std::get<ColumnScanSchedule>(versions[0].schedule).together;
  };
  CHECK(together(1, true) == 8);
  CHECK(together(3, true) == 2);
  CHECK(together(16, true) == 1);
  CHECK(together(1, false) == 1);
}

}  // namespace halo::gpu
