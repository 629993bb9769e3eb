// Along the last level the segments of a tile are at a stride of all tiles, so that those of
// neighbouring runs are neighbours. Behind the end a lane reads the last segment and stores
// nothing.
#include "gpu/templates/reduce/tile_segments.h"

#include <algorithm>

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class TileSegments {
 public:
  TileSegments(KernelScope& scope, const ReduceNest& nest, const Spread& spread)
      : code_(scope.code()), tile_(spread.tile), segments_(scope.scalar(spread.segments)) {
    for (const Operand& extent : nest.outer.extents()) extents_.push_back(scope.scalar(extent));
    for (const Operand& extent : tileExtents(nest, tile_)) tiles_.push_back(scope.scalar(extent));
  }

  std::vector<Lane> of(const Lane& lane) {
    std::vector<Lane> all = {lane};
    all[0].inside = lane.has_run;
    all[0].indices = indicesOf(code_, lane.segment, tiles_);
    for (size_t level = 0; level < extents_.size(); ++level) {
      if (tile_[level] > 1) all = along(all, level);
    }
    for (Lane& each : all) finish(each);
    return all;
  }

 private:
  std::vector<Lane> along(const std::vector<Lane>& lanes, size_t level) {
    std::vector<Lane> all;
    for (const Lane& lane : lanes) {
      for (int64_t cell = 0; cell < tile_[level]; ++cell) all.push_back(at(lane, level, cell));
    }
    return all;
  }
  Lane at(Lane lane, size_t level, int64_t cell) {
    Operand& index = lane.indices[level];
    const bool is_last = level + 1 == extents_.size();
    index = is_last ? code_.add(index, code_.mul(i64(cell), tiles_[level]))
                    : code_.add(code_.mul(index, i64(tile_[level])), i64(cell));
    const Operand exists = code_.prim(Op::kLt, ScalarType::kI64, {index, extents_[level]});
    lane.inside = code_.prim(Op::kAnd, ScalarType::kBool, {lane.inside, exists});
    index = within(code_, index, code_.sub(extents_[level], i64(1)));
    return lane;
  }
  void finish(Lane& lane) {
    lane.segment = i64(0);
    for (size_t level = 0; level < extents_.size(); ++level) {
      lane.segment = code_.add(code_.mul(lane.segment, extents_[level]), lane.indices[level]);
    }
    lane.item = code_.add(code_.mul(lane.chunk, segments_), lane.segment);
  }

  Builder& code_;
  const std::vector<int64_t>& tile_;
  Operand segments_;
  Operands extents_, tiles_;
};

Operand wholeTilesAlong(const ReduceNest& nest, const std::vector<int64_t>& tile, size_t level) {
  return divideUp(nest.host, nest.outer.wholeExtent(level), i64(tile[level]));
}

}  // namespace

bool isSingle(const std::vector<int64_t>& tile) {
  return std::all_of(tile.begin(), tile.end(), [](int64_t cells) { return cells == 1; });
}

Operands tileExtents(const ReduceNest& nest, const std::vector<int64_t>& tile) {
  Operands extents = nest.outer.extents();
  for (size_t level = 0; level < extents.size(); ++level) {
    if (tile[level] > 1) extents[level] = divideUp(nest.host, extents[level], i64(tile[level]));
  }
  return extents;
}

Operand wholeTiles(const ReduceNest& nest, const std::vector<int64_t>& tile) {
  Operand count = i64(1);
  for (size_t level = 0; level < tile.size(); ++level) {
    count = nest.host.mul(count, wholeTilesAlong(nest, tile, level));
  }
  return count;
}

Operand tiledSegments(const ReduceNest& nest, const std::vector<int64_t>& tile) {
  Operand count = wholeTiles(nest, tile);
  for (const int64_t cells : tile) count = nest.host.mul(count, i64(cells));
  return count;
}

std::vector<Lane> segmentsOfTile(KernelScope& scope, const ReduceNest& nest, const Spread& spread,
                                 const Lane& lane) {
  return TileSegments(scope, nest, spread).of(lane);
}

}  // namespace halo::gpu
