// Large arrays by rows in registers; rows of whole vectors first, then unaligned ones, then cells
// one by one.
#include "gpu/schedule/stencil/step.h"

#include <algorithm>

#include "gpu/schedule/cells/per_element.h"
#include "gpu/schedule/stencil/reach.h"
#include "gpu/schedule/stencil/register_tile.h"
#include "gpu/schedule/stencil/tile_code.h"

namespace halo::gpu {
namespace {

using Ends = RegisterTileSchedule::Ends;

// Rows in registers pay from this many cells on; with fewer, one more launch costs more.
constexpr int64_t kTileCells = 2'000'000;
// Where arithmetic takes longer than memory, the tests of ends that rows leave out are worth that
// launch earlier. (A step of hotspot 1024^2 takes 9.8 us for 5.2 on an H200.) In space, tiles of
// such cells of 64 bits have too few registers: 66 us a step of 200^3 for 85 by tiles.
constexpr int64_t kHeavyTileCells = 500'000;
constexpr size_t kHeavyCell = 60;   // statements of a cell
constexpr int64_t kMaxOffsets = 4;  // kernels for alignment offsets of rows
constexpr size_t kLongCode = 3000;  // statements: long code is slow code (docs/gpu.md#rules)

Quantity extentOf(size_t axis, size_t rank) {
  if (axis + 1 == rank) return Quantity::kLastExtent;
  return axis == 0 ? Quantity::kFirstExtent : Quantity::kMiddleExtent;
}

class StepVersions {
 public:
  StepVersions(const Launches& launches, const core::Function& kernel, const Limits& limits,
               const Request& request)
      : launches_(launches),
        program_(launches.program()),
        kernel_(kernel),
        limits_(limits),
        stencil_(std::get<core::Stencil>(kernel.body.stms.back().expr)),
        rank_(stencil_.space.size()),
        request_(ofOneStep(request)) {}

  ScheduleVersions run() {
    const bool may_tile = request_.allows("rows") || request_.allows("unaligned");
    const auto cells = may_tile ? tileOf(false) : std::nullopt;
    if (cells && isArithmetic(kernel_, stencil_.map.body)) {
      const bool is_heavy = isHeavy(*cells);
      if (is_heavy) least_cells_ = kHeavyTileCells;
      if (!is_heavy || rank_ < 3 || !isWide() || !request_.forced.empty()) addTiles(*cells);
    }
    addPerElement(versions_, cellTraits(launches_, kernel_), limits_, request_);
    return std::move(versions_);
  }

 private:
  // Step by step, but each step as the cost model has it.
  static Request ofOneStep(Request request) {
    if (request.forced == "single") request.forced.clear();
    return request;
  }
  std::optional<RegisterTileSchedule> tileOf(bool vectors) const {
    return registerTile(program_, kernel_, request_, vectors);
  }

  void addTiles(const RegisterTileSchedule& cells) {
    const std::optional<RegisterTileSchedule> vectors = tileOf(true);
    if (isTooLong(vectors ? *vectors : cells)) return;
    if (vectors) addVectors(cells, *vectors);
    const Condition is_large = fits({cells});
    // Arrays that are not row-major have no rows of vectors.
    const Condition guard =
        vectors ? is_large && (!Condition(Quantity::kIsRowMajor) || fits({cells, *vectors}))
                : is_large;
    add(guard, final(shortened(cells)), "neighbours of a row are loaded once");
  }

  void addVectors(const RegisterTileSchedule& cells, const RegisterTileSchedule& vectors) {
    const Condition are_rows = Condition(Quantity::kIsRowMajor) && fits({cells, vectors});
    const Condition is_aligned = are_rows && Quantity::kIsAligned;
    const RegisterTileSchedule peeled = peeledTile(vectors);
    const std::vector<int64_t> none(rank_ - 1, 0);
    if (peelsEnds(vectors) && !isLong(peeled, none)) {
      add(is_aligned && fits({peeled}), final(peeled), "ends of rows have kernels of their own");
    }
    add(is_aligned, final(shortened(vectors)), "rows are whole vectors");
    if (mayBeUnaligned(vectors)) addUnaligned(are_rows, vectors);
  }

  void addUnaligned(const Condition& are_rows, const RegisterTileSchedule& vectors) {
    const RegisterTileSchedule tile = unalignedTile(stencil_, vectors, request_);
    for (const std::vector<int64_t>& offsets : alignmentOffsets(rank_, tile.columns)) {
      if (isLong(tile, offsets)) return;
    }
    Condition guard = are_rows && Quantity::kIsBeginAligned && fits({tile});
    if (rank_ == 3) guard = std::move(guard) && Quantity::kIsPlaneOdd;
    add(std::move(guard), final(tile), "rows begin anywhere");
  }

  // Where a row has several pieces on each side, their ends are too much to handle at every load.
  // But in space they are too many.
  bool peelsEnds(const RegisterTileSchedule& vectors) const {
    return rank_ == 2 && reachAlong(stencil_, 1) > vectors.columns;
  }
  // In space the ends of rows are so many that kernels of their own pay for boxes alone.
  bool mayBeUnaligned(const RegisterTileSchedule& vectors) const {
    const bool pays = rank_ == 2 ||
                      unalignedTile(stencil_, vectors, request_).ends == Ends::kCells ||
                      isBox(stencil_) || request_.forced == "unaligned";
    return pays && request_.allows("unaligned") && vectors.columns <= kMaxOffsets;
  }

  // Enough cells, and room for each of the tiles.
  Condition fits(const std::vector<RegisterTileSchedule>& tiles) const {
    Condition all = Condition(Quantity::kElements) >= (request_.forced.empty() ? least_cells_ : 1);
    for (size_t axis = 0; axis < rank_; ++axis) {
      int64_t least = 1;
      for (const RegisterTileSchedule& tile : tiles) {
        least = std::max(least, roomFor(stencil_, tile)[axis]);
      }
      all = std::move(all) && Condition(extentOf(axis, rank_)) >= least;
    }
    return all;
  }

  bool isHeavy(const RegisterTileSchedule& tile) const {
    const auto cells = static_cast<size_t>(tile.columns * tile.rows * tile.lines);
    return tileCode(kernel_, tile, {}) > kHeavyCell * cells;
  }
  bool isWide() const {
    const std::vector<core::ValueId>& results = kernel_.body.stms.back().results;
    return std::any_of(results.begin(), results.end(), [&](core::ValueId result) {
      return prim::byteSize(program_.type(result).scalar) > 4;
    });
  }
  bool isRequested() const {
    return request_.number("rows", 0, request_.number("unaligned", 0, 0)) != 0;
  }
  bool isLong(const RegisterTileSchedule& tile, const std::vector<int64_t>& offsets) const {
    return tile.rows > 2 && !isRequested() && tileCode(kernel_, tile, offsets) > kLongCode;
  }
  // Even a tile of two rows: its cells compute for longer than they load.
  bool isTooLong(const RegisterTileSchedule& tile) const {
    return request_.forced.empty() && tileCode(kernel_, shortened(tile), {}) > kLongCode;
  }
  RegisterTileSchedule shortened(RegisterTileSchedule tile) const {
    while (isLong(tile, {})) tile.rows /= 2;
    return tile;
  }
  RegisterTileSchedule final(const RegisterTileSchedule& tile) const {
    return withEdges(stencil_, tile);
  }

  void add(Condition guard, Schedule schedule, const char* reason) {
    versions_.push_back({std::move(guard), std::move(schedule), reason});
  }

  const Launches& launches_;
  const core::Program& program_;
  const core::Function& kernel_;
  const Limits& limits_;
  const core::Stencil& stencil_;
  size_t rank_;
  int64_t least_cells_ = kTileCells;
  const Request request_;
  ScheduleVersions versions_;
};

}  // namespace

KernelChoice chooseStep(const Launches& launches, const core::Function& kernel,
                        const Limits& limits, const Request& request) {
  return {StepVersions(launches, kernel, limits, request).run(), {}, ""};
}

}  // namespace halo::gpu
