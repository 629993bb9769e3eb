// A copy is transposed where its source lies along another axis. Small arrays gain nothing by
// tiles, and tiles of narrow ones would be all but empty (bench/gpu/sweep, `transposed` and
// `permuted`). Vectors need rows that begin at multiples of 16 bytes. Merged axes need divisions
// for each row, which pay off in large arrays whose last axis is shorter than a tile.
#include "gpu/schedule/transpose.h"

#include "gpu/schedule/cells/per_element.h"

namespace halo::gpu {
namespace {

using Access = TransposeSchedule::Access;
using Order = TransposeSchedule::Order;

constexpr int64_t kElementSide = 32;  // rows of shared memory are one element longer
constexpr int64_t kVectorSide = 64;   // 16 vectors of 4 elements
constexpr int64_t kWordGroups = 8;    // of rows that are one vector across: 256 / 32 words of a row
constexpr int64_t kBytesOfVector = 16;
constexpr int64_t kFewElements = int64_t{1} << 17;
constexpr int64_t kMinOfTile = 128;     // elements that a tile has at least
constexpr int64_t kMinMergedRows = 16;  // rows of a tile whose other axis is merged
constexpr int64_t kManyToMerge = int64_t{1} << 18;
constexpr int64_t kMergedOrder = 4;  // `transpose:4`: axes are merged

Condition denseExtent() { return Quantity::kDenseExtent; }
Condition lastExtent() { return Quantity::kLastExtent; }
Condition elements() { return Quantity::kElements; }
Condition isMergeable() { return Quantity::kIsMergeable; }
Condition isTransposed() { return Quantity::kIsTransposed; }

Access accessFor(int64_t element_bytes) {
  if (element_bytes > 4) return Access::kElements;
  return element_bytes == 4 ? Access::kVectors : Access::kWords;
}

Order orderOf(int64_t number) {
  if (number == 1) return Order::kOfResult;
  return number == 3 ? Order::kOfNeighbours : Order::kOfTiles;
}

class CopyVersions {
 public:
  // `by_elements`: without tiles.
  CopyVersions(int64_t element_bytes, ScheduleVersions by_elements, const Request& request)
      : bytes_(element_bytes),
        by_elements_(std::move(by_elements)),
        request_(request),
        order_(request.number("transpose", 0, 0)) {}

  ScheduleVersions run() {
    if (!request_.allows("transpose")) return by_elements_;
    addElements(request_.forced.empty()
                    ? !isTransposed() || (isNarrow() || elements() < kFewElements)
                    : !isTransposed());
    const bool may_merge = order_ == 0 || order_ == kMergedOrder;
    if (may_merge) addTiles(merges(), Quantity::kIsMergedAligned, true);
    addTiles({}, Quantity::kIsAligned, false);
    return std::move(versions_);
  }

 private:
  Condition merges() const {
    if (order_ == kMergedOrder) return isMergeable();
    return isMergeable() && lastExtent() < kVectorSide && elements() >= kManyToMerge;
  }
  Condition isNarrow() const {
    const Condition is_narrow =
        minimum(denseExtent(), kElementSide) * minimum(lastExtent(), kElementSide) < kMinOfTile;
    const Condition is_flat = minimum(denseExtent(), kElementSide) < kMinMergedRows;
    return (!merges() && is_narrow) || (merges() && is_flat);
  }
  // Neighbours are copied together, or tiles gain nothing. Facts of the code stand first:
  // versions that they exclude make no kernel.
  void addElements(const Condition& guard) {
    Condition others = guard;
    for (const ScheduleVersion& one : by_elements_) {
      const bool is_last = one.guard.isAlways();
      add(is_last ? others : one.guard && guard, one.schedule, one.reason);
      if (!is_last) others = !one.guard && others;
    }
  }
  void addTiles(const Condition& guard, Quantity aligned, bool merges_axes) {
    const Access access = accessFor(bytes_);
    if (access != Access::kElements) {
      const Condition is_aligned = aligned;
      add(guard && is_aligned, tiles(access, merges_axes), "rows are whole vectors");
    }
    add(guard, tiles(Access::kElements, merges_axes),
        access == Access::kElements ? "an element is half a vector" : "rows begin anywhere");
  }
  TransposeSchedule tiles(Access access, bool merges_axes) const {
    return {access, transposeSide(access, bytes_), merges_axes ? Order::kOfResult : orderOf(order_),
            merges_axes};
  }
  void add(Condition guard, Schedule schedule, std::string reason) {
    versions_.push_back({std::move(guard), std::move(schedule), std::move(reason)});
  }

  int64_t bytes_;
  ScheduleVersions by_elements_;
  const Request& request_;
  int64_t order_;
  ScheduleVersions versions_;
};

}  // namespace

int64_t transposeSide(Access access, int64_t element_bytes) {
  switch (access) {
    case Access::kElements:
      return kElementSide;
    case Access::kVectors:
      return kVectorSide;
    case Access::kWords:
      return kWordGroups * (kBytesOfVector / element_bytes);
  }
  return 0;
}

KernelChoice chooseCopy(const Launches& launches, const core::Function& kernel,
                        const Limits& limits, const Request& request) {
  const core::Stm& stm = kernel.body.stms.back();
  const prim::ScalarType type = launches.program().type(stm.results[0]).scalar;
  if (!launches.isRearranged(kernel, std::get<core::Copy>(stm.expr).array)) {
    return chooseElements(launches, kernel, limits, request);
  }
  ScheduleVersions by_elements = perElement(cellTraits(launches, kernel), limits, request);
  CopyVersions versions(prim::byteSize(type), std::move(by_elements), request);
  return {versions.run(), {"transpose", "plain"}, ""};
}

}  // namespace halo::gpu
