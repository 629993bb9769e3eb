// Versions in their order: products; short segments by runs of a subgroup's lanes; chunks by
// workgroups with wide reads; runs of a workgroup's lanes, for all other reductions. How elements
// are spread depends on extents and limits alone, and so do the bits of float results.
#include "gpu/schedule/reduce/reduce.h"

#include <algorithm>
#include <bit>

#include "gpu/plan/layout.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/schedule/cells/rows.h"
#include "gpu/schedule/node_code.h"
#include "gpu/schedule/reduce/matrix_product.h"
#include "gpu/schedule/reduce/product.h"
#include "gpu/schedule/reduce/segment_tiles.h"
#include "lang/base/check.h"
#include "lang/core/chunk_sums.h"
#include "lang/core/visit.h"

namespace halo::gpu {
namespace {

using Order = WorkgroupReduceSchedule::Order;

// Runs of a workgroup's lanes.
constexpr int64_t kInvocations = int64_t{1} << 18;  // fill a large device several times
// Of long elements. (A particle filter of 100,000 particles, 50 steps, on an H200 took 1,725 us
// with 128 chunks and 1,464 with 391. Sums over 1,048,576 took 17 us with 1,024, 14 with 256.)
constexpr int64_t kFewLongChunks = 256;
// Runs with lanes at a stride: eight neighbouring segments of 4 bytes are a sector of memory.
constexpr int64_t kStridedLanes = 32;
constexpr int64_t kStridedElements = 8;
// More keep the device busy by a lane each. (100,000 columns of 400 on an H200: 97 us by a lane
// each, in chunks, and 128 with 32 lanes.)
constexpr int64_t kFewSegments = int64_t{1} << 14;
constexpr int64_t kFewTurns = 16;  // of an inner operation that leaves an element short
// Elements of all segments for each segment of a tile: invocations fill a large device.
constexpr int64_t kTileElements = int64_t{1} << 21;
// Products in a batch, of so many rows and columns at most and for each cell of a tile so many
// cells. (16,384 products of 8 x 256 by 256 x 8: 91 us, 162 by slices of `split_product`.)
constexpr int64_t kTileExtent = 16;
constexpr int64_t kTileSegments = int64_t{1} << 14;

// Vectors.
constexpr size_t kMaxWords = 16;  // of a segment's values
constexpr size_t kMaxWordsInSequence = 8;
constexpr int64_t kShortSegment = 512;    // always by a subgroup's lanes
constexpr int64_t kMediumSegment = 8192;  // by these where there are many, of whole vectors
constexpr int64_t kManySegments = 16384;
constexpr int64_t kMaxSegmentOfRun = int64_t{1} << 20;  // also where runs are requested
// Elements of a row that a subgroup's lanes sum slower than one invocation. (Sums of 2^26 elements
// in rows of 2, 3 and 5 on an H200: 128, 109 and 98 us, by lanes 190, 130 and 92.)
constexpr int64_t kFewInSums = 3;
// .. and where several lanes have a row. Norms of 2^26 elements in rows of 4, 7 and 16 took 92, 92
// and 80 us by lanes. By one invocation they took 95, 88 and 78.
constexpr int64_t kManyInSums = 5;
// Of few columns: 64 workgroups of 256 lanes with 16 elements each.
constexpr int64_t kManyInColumns = int64_t{1} << 18;
constexpr int64_t kOfColumns = 4;        // elements of a load
constexpr size_t kMaxWordsOfColumn = 4;  // of a segment's values: a lane has those of four columns
// Short segments that begin anywhere: one at a time, as its iterations find the rest of each
// other's vectors in the cache.
constexpr int64_t kMaxShortUnaligned = 45;  // elements, for runs of up to four lanes

// Whether one element is work for a lane: a loop, or an inner operation of unknown or many
// iterations.
bool isLong(const core::Body& element) {
  bool found = false;
  core::visitStms(element, [&](const core::Stm& stm) {
    found = found || std::holds_alternative<core::Loop>(stm.expr);
    const auto* inner = std::get_if<core::Screma>(&stm.expr);
    if (inner == nullptr) return;
    const bool is_short =
        inner->width.isConstant() && inner->width.constant.asSigned() <= kFewTurns;
    found = found || !is_short;
  });
  return found;
}

class ReduceVersions {
 public:
  ReduceVersions(const core::Program& program, const core::Function& kernel, const Limits& limits,
                 const Request& request)
      : program_(program),
        kernel_(kernel),
        limits_(limits),
        request_(request),
        levels_(reduceNest(program, std::get<core::Screma>(kernel.body.stms.back().expr))),
        in_any_order_(inAnyOrder(levels_.back()->reductions)) {}

  KernelChoice run() {
    if (levels_.back()->joins == core::Joins::kChunks) {
      choice_.versions.push_back({{}, joining(), "lanes have neighbouring chunks"});
      return std::move(choice_);
    }
    if (levels_.back()->joins == core::Joins::kTiles) {
      ReduceSchedule s = joining();
      s.elements = 0;
      choice_.versions.push_back({{}, s, "lanes take tiles by turns"});
      return std::move(choice_);
    }
    addShortRows();
    if (in_any_order_) {
      addMatrixProducts(choice_, program_, kernel_, levels_, limits_, request_);
    }
    addBatchedProducts(choice_, program_, kernel_, levels_, limits_, request_);
    addTiles();
    addProducts(choice_, program_, kernel_, levels_, limits_, request_);
    if (readsVectors()) {
      if (kernel_.kernel[0].space.size() > 1) choice_.alternatives.push_back("lanes");
      choice_.alternatives.push_back("chunks");
      offerPlain();
      addSubgroups();
      addWorkgroups();
    }
    addColumns();
    const bool needs_runs = choice_.versions.empty() || !choice_.versions.back().guard.isAlways();
    if (needs_runs) addRuns(ofRuns(), {}, "a tree combines the lanes of a run");
    return std::move(choice_);
  }

 private:
  bool readsVectors() const {
    const bool is_requested =
        request_.allows("chunks") || (request_.allows("lanes") && in_any_order_);
    const size_t words = in_any_order_ ? kMaxWords : kMaxWordsInSequence;
    return is_requested && hasLanes(limits_) && isStraight(program_, *levels_.back(), words) &&
           !mentionsLevels(program_, levels_);
  }

  void addSubgroups() {
    if (levels_.size() == 1 || !in_any_order_ || !request_.allows("lanes")) return;
    const Condition segment = Quantity::kSegment, segments = Quantity::kSegments;
    const Condition is_aligned = Quantity::kIsSegmentAligned;
    Condition pays = segment <= kShortSegment ||
                     (segment <= kMediumSegment && segments >= kManySegments && is_aligned);
    if (request_.forced == "lanes") pays = segment <= kMaxSegmentOfRun;
    pays = Condition(Quantity::kIsFlat) && pays;
    const SubgroupReduceSchedule unaligned = ofSubgroup(false, 4, 1);
    const SubgroupReduceSchedule few = ofSubgroup(false, 1, 2);
    choice_.versions.push_back(
        {pays && is_aligned, ofSubgroup(true, 4, 1), "segments are short, of whole vectors"});
    if (few != unaligned) {
      choice_.versions.push_back(
          {pays && segment <= kMaxShortUnaligned, few, "segments are very short"});
    }
    choice_.versions.push_back({pays, unaligned, "segments are short"});
  }
  SubgroupReduceSchedule ofSubgroup(bool is_aligned, int64_t segments, int64_t turns) const {
    SubgroupReduceSchedule s;
    s.lanes = limits_.subgroup;
    s.is_aligned = is_aligned;
    s.segments = request_.number("lanes", 1, segments);
    s.turns = request_.number("lanes", 2, turns);
    const auto run = static_cast<uint64_t>(request_.number("lanes", 0, 0));
    s.run = std::min<int64_t>(static_cast<int64_t>(std::bit_floor(run)), s.lanes);
    return s;
  }

  bool isWhole() const { return levels_.size() == 1 && !levels_[0]->partial_values; }

  void addWorkgroups() {
    if (!request_.allows("chunks")) return;
    WorkgroupReduceSchedule s;
    s.order = in_any_order_ ? Order::kAny : Order::kSequence;
    s.lanes = limits_.subgroup;
    s.workgroups = core::kMaxChunks;  // fill a large device
    s.finish = finishOf("chunks", 1);
    HALO_CHECK(s.tile() == core::kChunkTile, "another tile of chunks");
    // Of a whole reduction the order depends on its elements' number, not on how they lie.
    Condition pays;
    if (levels_.size() > 1) pays = Quantity::kIsFlat;
    // Lanes of a run keep the order of short segments: a workgroup for each would be idle.
    const bool is_nest = levels_.size() > 1 && request_.forced != "chunks";
    if (is_nest && !in_any_order_) {
      pays = std::move(pays) && Condition(Quantity::kSegment) >= kShortSegment + 1;
    }
    // Only on request: dear sums gain what sums of numbers lose. (131,072 elements on an H200: 100
    // sums of exponentials 1,590 us to 1,390, of numbers 762 to 888.)
    if (isWhole()) s.short_chunks = std::max<int64_t>(request_.number("chunks", 1, 0), 0);
    choice_.versions.push_back({std::move(pays), s, "workgroups read whole vectors"});
  }

  // Long elements have a lane each. Code between levels is cheap (nest.h).
  void addShortRows() {
    if (levels_.size() == 1 || isLong(levels_.back()->map.body)) return;
    const core::Stm& nest = kernel_.body.stms.back();
    const size_t levels = levelsAroundRows(program_, nest, levels_.size() - 1);
    addRowCells(choice_, program_, nest, levels, limits_, request_);
    const bool have_lanes = levels_.size() == 2 && in_any_order_ && readsVectors();
    if (!have_lanes || !request_.forced.empty()) return;
    limitRowCells(choice_, [](Condition guard) {
      const Condition row = Quantity::kShortRow;
      return std::move(guard) && (row <= kFewInSums || row >= kManyInSums);
    });
  }

  // In any order: lanes of a column have every 2nd, 3rd, .. row.
  void addColumns() {
    const core::Screma& own = *levels_.back();
    if (levels_.size() == 1 || !in_any_order_ || !request_.allows("columns")) return;
    if (!isPlainReduction(own) || isLong(own.map.body)) return;
    ColumnReduceSchedule s;
    const Condition columns = Quantity::kSegments, rows = Quantity::kSegment;
    Condition pays = Condition(Quantity::kIsInputStrided) && columns >= 2 && columns <= s.columns;
    if (request_.forced.empty()) pays = std::move(pays) && rows * columns >= kManyInColumns;
    choice_.alternatives.push_back("columns");
    offerPlain();
    const bool is_small = isStraight(program_, own, kMaxWordsOfColumn);
    if (is_small && request_.number("columns", 0, kOfColumns) == kOfColumns) {
      ColumnReduceSchedule by_vectors = s;
      by_vectors.neighbours = kOfColumns;
      by_vectors.together = s.together / 2;
      choice_.versions.push_back({Quantity::kAreRowsDense && pays, by_vectors,
                                  "columns are few and adjacent, rows one after another"});
    }
    choice_.versions.push_back({std::move(pays), s, "columns are few and adjacent"});
  }

  // As the second launch of a reduction in chunks.
  static ReduceSchedule joining() {
    ReduceSchedule s;
    s.invocations = kInvocations;
    s.elements = kChunksPerLane;
    s.chunk_elements = core::kMaxChunks * core::kChunkTile;  // one run
    return s;
  }

  void offerPlain() {
    std::vector<std::string>& names = choice_.alternatives;
    if (std::find(names.begin(), names.end(), "plain") == names.end()) names.push_back("plain");
  }

  ReduceSchedule ofRuns() const {
    ReduceSchedule s;
    s.invocations = kInvocations;
    s.is_long = isLong(levels_.back()->map.body);
    if (s.is_long) s.chunk_elements = 1;
    s.finish = finishOf("plain", s.is_long ? 2 : 1);
    if (s.finish == Finish::kLastWorkgroup) {  // no other segment wants the lanes
      s.elements = 1;
      if (!s.is_long) s.few_chunks = kFewLongChunks;
    }
    return s;
  }

  // Of whole reductions: many segments are work for a launch. `chunks:2` wants two launches, and so
  // do kernels that are to be simple. Long elements need the registers that the code behind them
  // takes. (Page rank on an H200, 300,000 nodes: 1,390 us with two launches, 1,800 with one.)
  Finish finishOf(const char* name, int64_t launches) const {
    launches = request_.number(name, 0, request_.forced == "plain" ? 2 : launches);
    if (!isWhole() || launches != 1) return Finish::kLaunch;
    const bool combines = lastGroupCombines(program_, levels_[0]->reductions, limits_);
    return combines ? Finish::kLastWorkgroup : Finish::kLaunch;
  }

  void addTiles() {
    if (!request_.allows("together")) return;
    const bool is_forced = request_.forced == "together";
    ReduceSchedule s = ofRuns();
    s.tile = is_forced ? requestedTile() : segmentTile(program_, kernel_, levels_);
    if (s.tile.levels.empty()) return;
    choice_.alternatives.push_back("together");
    offerPlain();
    const Condition segments = Quantity::kSegments;
    const Condition fill = segments * Quantity::kSegment;
    Condition pays = fill >= kTileElements * segmentsOf(s.tile, levels_.size() - 1) &&
                     Condition(Quantity::kTiledSegments) * 3 <= segments * 4;
    if (levels_.size() > 2) {
      const Condition extent = maximum(Quantity::kRows, Quantity::kColumns);
      pays = std::move(pays) &&
             (!Condition(Quantity::kIsProduct) ||
              (extent <= kTileExtent && segments >= kTileSegments * cellsOf(s.tile)));
    }
    addRuns(s, is_forced ? Condition() : std::move(pays), "cells of a tile share loads");
  }
  // Levels and their cells, or the tile that the rule has.
  LevelTiles requestedTile() const {
    if (request_.numbers.empty()) return segmentTile(program_, kernel_, levels_);
    LevelTiles tile;
    if (!canTile(program_, kernel_, levels_)) return tile;
    for (size_t k = 0; k + 1 < request_.numbers.size(); k += 2) {
      tile.levels.push_back({request_.number("together", k, 0),
                             std::max<int64_t>(request_.number("together", k + 1, 1), 1)});
      if (tile.levels.back().level >= static_cast<int64_t>(levels_.size())) return {};
    }
    return tile;
  }

  void addRuns(const ReduceSchedule& s, const Condition& guard, const char* reason) {
    if (levels_.size() > 1) {
      if (s.tile.levels.empty() && !s.is_long && request_.forced != "plain") addStrided(s);
      ReduceSchedule columns = s;
      columns.lanes = 1;
      choice_.versions.push_back({guard && Quantity::kIsInputStrided, columns,
                                  "neighbouring invocations read neighbours"});
    }
    choice_.versions.push_back({guard, s, reason});
  }

  // Chunks of short segments would cost a launch.
  void addStrided(ReduceSchedule s) {
    s.run_lanes = ReduceSchedule::RunLanes::kStrided;
    s.lanes = kStridedLanes;
    s.elements = kStridedElements;
    const Condition segment = Quantity::kSegment;
    choice_.versions.push_back({Condition(Quantity::kIsInputStrided) && segment >= 4 * s.elements &&
                                    segment <= 2 * s.elements * s.lanes &&
                                    Condition(Quantity::kSegments) <= kFewSegments,
                                s, "neighbouring invocations read neighbours, a run has lanes"});
  }

  const core::Program& program_;
  const core::Function& kernel_;
  const Limits& limits_;
  const Request& request_;
  std::vector<const core::Screma*> levels_;
  bool in_any_order_;
  KernelChoice choice_;
};

}  // namespace

KernelChoice chooseReduce(const core::Program& program, const core::Function& function,
                          const Limits& limits, const Request& request) {
  const core::Function kernel = withoutLayout(function);
  return ReduceVersions(program, kernel, limits, request).run();
}

}  // namespace halo::gpu
