// Columns, of which `neighbours` are adjacent. Many or short columns keep a device busy by one
// invocation each. Few columns need tiles that look back, by vectors where rows are whole vectors,
// of whole rows where these are narrow.
// Measured with bench/gpu/sweep.
#include <algorithm>

#include "gpu/schedule/scan.h"

namespace halo::gpu {
namespace {

using Tile = ColumnScanSchedule::Tile;

constexpr int64_t kManyColumns = int64_t{1} << 18;  // keep any device busy with rows under way
constexpr int64_t kShortColumn = 64;                // rows
constexpr int64_t kFewNeighbours = 4;      // below, a row is less than memory moves at once
constexpr int64_t kMaxStaged = 64;         // from here on direct tiles leave fewer invocations idle
constexpr int64_t kMaxInTallVectors = 16;  // columns
constexpr int64_t kVectorColumns = 4;      // of a vector
constexpr int64_t kWideColumns = 4096;     // tiles in a row keep a device busy
constexpr int64_t kManyElements = int64_t{1} << 20;  // tiles of vectors are large,
constexpr int64_t kManyInTall = int64_t{1} << 21;    // tall ones larger still;
constexpr int64_t kManyLines = int64_t{1} << 24;  // sizes that suit direct tiles need more of them

constexpr int64_t kWordsTogether = 8;  // of a chunk, under way

// Narrow tiles: vectors of an invocation, all under way together; with all else they fit into 32 KB
// of shared memory.
constexpr int64_t kNarrowBytes = 28;
constexpr int64_t kMaxNarrowVectors = 8;
constexpr int64_t kNarrowGroup = 256;
// On an H200 scans of rows of 5, 16 and 31 elements took 264, 310 and 376 us by narrow tiles with 8
// lookers for each column, 477, 340 and 320 in chunks (2^26 elements; copy: 133).
constexpr int64_t kNarrowColumns = 16;
constexpr int64_t kNarrowLookers = 8, kNarrowLookback = 8;  // 4 tiles: the same; 16: 359 us for 249

// Tiles of columns.
constexpr int64_t kTileColumns = 32;
constexpr int64_t kParts = 8, kWideParts = 4;
constexpr int64_t kMaxTileRows = 32;      // of a part, of values of one word
constexpr int64_t kDirectBytes = 28 * 4;  // of a part of a column
constexpr int64_t kStagedBytes = 27 * 4;
constexpr int64_t kStagedGroup = 256;
constexpr int64_t kDirectLookback = 8, kStagedLookback = 32;  // tiles of a block (LookBack)

// Tiles of vectors.
constexpr int kMinLanes = 8;
constexpr int64_t kMaxAcross = 8;  // vectors of a row of a direct tile: 128 bytes
constexpr int64_t kMaxColumnTiles = 32;
constexpr int64_t kMaxColumnSubgroups = 32;
constexpr const char* kVectorsName = "column_vectors";

int64_t powerUpTo(int64_t value, int64_t most) {
  int64_t power = 1;
  while (power * 2 <= std::min(value, most)) power *= 2;
  return power;
}

class ColumnVersions {
 public:
  ColumnVersions(const ColumnScanTraits& traits, const Limits& limits, const Request& request)
      : traits_(traits), limits_(limits), request_(request) {}

  ScheduleVersions run() {
    const bool is_free = request_.forced.empty();
    const bool names_tiles = request_.forced == "column_tiles" || request_.forced == kVectorsName;
    const bool in_tiles = traits_.may_look_back && (is_free ? limits_.groups_finish : names_tiles);
    if (!in_tiles && !request_.allows("columns")) return {};
    if (!in_tiles) {
      add(is_free ? enough() : Condition(), chunks(), "no tile waits for another");
    } else if (is_free) {
      byExtents();
    } else if (request_.forced == "column_tiles") {
      add(neighbours() < kMaxStaged, staged(), "as requested");
      add({}, columns(Tile::kColumns, kParts), "as requested");
    } else {
      requestedVectors();
    }
    return std::move(versions_);
  }

 private:
  static Condition segments() { return Quantity::kSegments; }
  static Condition rows() { return Quantity::kSegment; }
  static Condition neighbours() { return Quantity::kNeighbours; }
  static Condition areDense() { return Quantity::kAreRowsDense; }
  static Condition areVectors() { return Quantity::kIsRowAligned; }
  static Condition enough() { return neighbours() >= kFewNeighbours; }
  static Condition vectorsFrom(int64_t least) {
    return areVectors() && segments() * rows() >= least;
  }

  // A subgroup has at least one row of them.
  int64_t mostNarrow() const { return std::min<int64_t>(limits_.subgroup, kNarrowColumns); }
  Condition areNarrow() const { return neighbours() <= mostNarrow(); }
  bool hasVectors() const { return limits_.subgroup >= kMinLanes; }

  void add(const Condition& guard, Schedule schedule, const char* reason) {
    const Condition is_strided = Quantity::kIsStrided;
    versions_.push_back({is_strided && guard, std::move(schedule), reason});
  }

  // Vectors are a part of their versions' guards, though the first version leaves no other rows:
  // where it is known that rows are no vectors, such kernels are not made.
  void byExtents() {
    const bool is_long = traits_.words > 1;
    fewest();
    const Condition are_few = neighbours() < kMaxStaged;
    const Condition tall = vectorsFrom(kManyInTall);
    Condition few_in_vectors = neighbours() <= kMaxInTallVectors;
    if (traits_.are_words) {
      few_in_vectors =
          few_in_vectors && vectorsFrom(kManyElements) && (neighbours() <= kVectorColumns || tall);
    } else {
      few_in_vectors = few_in_vectors && tall;
    }
    if (hasVectors()) {
      add(enough() && rows() >= kShortColumn + 1 && areNarrow() && areDense() && !few_in_vectors &&
              neighbours() >= kVectorColumns + 1 && segments() * rows() >= kManyElements,
          narrow(), "tiles of whole rows look back; columns are narrow");
    }
    add(enough() &&
            (segments() >= kManyColumns || rows() <= kShortColumn || (are_few && !few_in_vectors)),
        chunks(), "columns are many or short, or few and not by vectors");
    const Condition are_wide = segments() >= kWideColumns && !are_few;
    if (is_long && hasVectors()) {
      add(enough() && are_wide && vectorsFrom(kManyElements), vectors(Tile::kWideVectors),
          "tiles look back; long elements, four columns an invocation");
    }
    add(enough() && are_wide, columns(Tile::kWideColumns, kWideParts),
        "tiles look back; many of them lie side by side");
    if (traits_.are_words && hasVectors()) {
      add(enough() && areVectors() && neighbours() <= kVectorColumns, vectors(Tile::kStagedVectors),
          "tiles look back; a row is one vector");
    }
    const bool has_tall = traits_.are_words && !is_long;
    if (hasVectors()) {
      add(enough() && areVectors() && (has_tall ? are_few || vectorsFrom(kManyLines) : are_few),
          vectors(Tile::kVectors), "tiles look back; four columns an invocation");
    }
    add(enough(), columns(Tile::kColumns, kParts), "tiles look back; 32 columns side by side");
  }

  // Two or three columns: a scan of each would read the others with it.
  void fewest() {
    const Condition guard =
        rows() >= kShortColumn + 1 && neighbours() >= 2 && neighbours() < kFewNeighbours;
    if (hasVectors()) {
      add(guard && areDense(), narrow(), "tiles of whole rows look back; two or three columns");
    }
    add(guard, staged(), "tiles of whole rows look back, element by element; two or three columns");
  }

  // No walking, unless nothing else can be done. `column_vectors:N,R,WAY`: 1 tall tiles, 2 staged
  // ones, 3 flat ones, 4 narrow ones.
  void requestedVectors() {
    static constexpr int64_t kStagedColumns[] = {kVectorColumns + 1, 0, kMaxStaged / 2 + 1, 0};
    const int64_t way = request_.number(kVectorsName, 2, 0);
    const int64_t wanted = way & 3;
    const int64_t below = traits_.are_words ? kStagedColumns[wanted] : 0;
    if (!hasVectors()) return add({}, chunks(), "subgroups are too small for vectors");
    if (way == 4) add(areNarrow() && areDense(), narrow(), "as requested");
    add(!areVectors(), chunks(), "rows are no whole vectors");
    if (below > 0) add(neighbours() < below, vectors(Tile::kStagedVectors), "as requested");
    add({}, vectors(wanted == 3 ? Tile::kWideVectors : Tile::kVectors), "as requested");
  }

  ColumnScanSchedule chunks() const {
    ColumnScanSchedule s;
    s.rows = request_.number("columns", 0, 0);
    const auto words = static_cast<int64_t>(traits_.words);
    s.together = traits_.is_straight ? std::max<int64_t>(kWordsTogether / words, 1) : 1;
    return s;
  }
  ColumnScanSchedule columns(Tile tile, int64_t usual) const {
    ColumnScanSchedule s;
    s.tile = tile;
    const int64_t most_parts = std::max<int64_t>(limits_.most_invocations / kTileColumns, 1);
    s.parts = std::min(request_.number("column_tiles", 0, usual), most_parts);
    const int64_t rows = std::clamp<int64_t>(kDirectBytes / traits_.bytes, 1, kMaxTileRows);
    s.rows = request_.number("column_tiles", 1, rows);
    s.workgroup = s.parts * kTileColumns;
    s.lookback_tiles = kDirectLookback;
    return s;
  }
  // Parts have an odd number of rows, so that neighbouring ones lie in different banks, and threes,
  // which are read together.
  ColumnScanSchedule staged() const {
    ColumnScanSchedule s;
    s.tile = Tile::kStaged;
    const int64_t most = std::min(kStagedBytes / traits_.bytes, kMaxTileRows);
    s.rows = std::min(request_.number("column_tiles", 1, most), most) / 3 * 3;
    if (s.rows % 2 == 0) s.rows = std::max<int64_t>(s.rows - 3, 1);
    s.workgroup = std::min(kStagedGroup, limits_.most_invocations);
    s.lookback_tiles = kStagedLookback;
    return s;
  }
  ColumnScanSchedule narrow() const {
    ColumnScanSchedule s;
    s.tile = Tile::kNarrow;
    s.lanes = limits_.subgroup;
    const int64_t most = std::min(limits_.most_invocations, s.lanes * kMaxColumnSubgroups);
    s.workgroup =
        std::clamp<int64_t>(request_.number(kVectorsName, 0, kNarrowGroup), s.lanes, most);
    s.workgroup = s.workgroup / s.lanes * s.lanes;
    const int64_t vectors = std::clamp<int64_t>(kNarrowBytes / traits_.bytes, 1, kMaxNarrowVectors);
    const int64_t rows = request_.number(kVectorsName, 1, vectors * kVectorColumns - 1);
    s.rows = (std::min(rows, vectors * kVectorColumns) - 1) / 2 * 2 + 1;
    s.columns = mostNarrow();
    const int64_t lookers = request_.number(kVectorsName, 3, kNarrowLookers);
    s.lookback_lanes = powerUpTo(std::min(lookers, s.workgroup / s.columns), s.lanes);
    s.lookback_tiles =
        powerUpTo(request_.number(kVectorsName, 4, kNarrowLookback), kMaxColumnTiles);
    return s;
  }
  ColumnScanSchedule vectors(Tile tile) const {
    const bool is_wide = tile == Tile::kWideVectors, is_staged = tile == Tile::kStagedVectors;
    ColumnScanSchedule s;
    s.tile = tile;
    s.lanes = limits_.subgroup;
    int64_t group = request_.number(kVectorsName, 0, is_wide ? 128 : is_staged ? 256 : 512);
    group = std::max(group, kMaxAcross * kVectorColumns);  // one for each column looks back
    group = std::min({group, limits_.most_invocations, s.lanes * kMaxColumnSubgroups});
    s.workgroup = std::max<int64_t>(group / s.lanes, 1) * s.lanes;
    // Staged: an odd number, so that neighbours lie in different banks. All measured.
    const int64_t rows = std::max<int64_t>(
        request_.number(kVectorsName, 1, is_staged ? 7 : 16) / static_cast<int64_t>(traits_.words),
        1);
    s.rows = is_staged ? (rows - 1) / 2 * 2 + 1 : rows;
    s.vectors = std::min(s.lanes, kMaxAcross);
    const int64_t lookers = request_.number(kVectorsName, 3, is_staged ? 8 : 4);
    const int64_t columns = s.vectors * kVectorColumns;
    s.lookback_lanes = powerUpTo(std::min(lookers, s.workgroup / columns), s.lanes);
    s.lookback_tiles =
        powerUpTo(request_.number(kVectorsName, 4, is_wide ? 1 : 8), kMaxColumnTiles);
    return s;
  }

  const ColumnScanTraits& traits_;
  const Limits& limits_;
  const Request& request_;
  ScheduleVersions versions_;
};

}  // namespace

ScheduleVersions columnScanVersions(const ColumnScanTraits& traits, const Limits& limits,
                                    const Request& request) {
  return ColumnVersions(traits, limits, request).run();
}

}  // namespace halo::gpu
