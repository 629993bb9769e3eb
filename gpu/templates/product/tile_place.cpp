// The host knows how many tiles there are; numbers within a tile fit 32 bits.
#include "gpu/templates/product/tile_place.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// How many of `count` lines lie in a tile that begins at `first`: a number of 32 bits, whatever
// the indices are.
Operand linesFrom(Builder& code, const Operand& count, const Operand& first, int64_t most) {
  return code.max(code.min(code.sub(count, first), i64(most)), i64(1));
}

}  // namespace

TilePlace::TilePlace(KernelScope& scope, const ReduceNest& nest, const ProductSchedule& tile,
                     const SegmentChunks* chunks)
    : scope_(scope), nest_(nest), tile_(tile), chunks_(chunks), code_(scope.code()) {
  const Operands& extents = nest.outer.extents();
  host_rows_ = extents[extents.size() - 2];
  host_tiles_down_ = groupsFor(nest.host, host_rows_, tile.rows);
  host_tiles_across_ = groupsFor(nest.host, extents.back(), tile.columns);
  rows = scope.scalar(host_rows_);
  columns = scope.scalar(extents.back());
  depth = scope.scalar(nest.width());
  placeTeam();
  if (tile.matrices > 1) {
    placeMatrix();
  } else {
    placeTile(scope.groupId());
  }
  placeInvocation();
  placeChunk();
}

void TilePlace::placeTeam() {
  lid = scope_.localId();
  if (tile_.cell_rows == 0 || tile_.teams() == 1) return;
  slice = prim(Op::kMachineDiv, lid, i64(tile_.threads()));
  lid = prim(Op::kMachineRem, lid, i64(tile_.threads()));
}

// Of the batch; host.
Operand TilePlace::matrices() const {
  const Operands& extents = nest_.outer.extents();
  Operand count = i64(1);
  for (size_t k = 0; k + 2 < extents.size(); ++k) count = nest_.host.mul(count, extents[k]);
  return count;
}

// Products behind the last one are the last one, whose cells are stored once.
void TilePlace::placeMatrix() {
  const Operands& extents = nest_.outer.extents();
  const Operand count = scope_.scalar(matrices());
  const Operand number = code_.add(code_.mul(scope_.groupId(), i64(tile_.matrices)), slice);
  exists = prim(Op::kLt, number, count);
  Operands batches;
  for (size_t k = 0; k + 2 < extents.size(); ++k) batches.push_back(scope_.scalar(extents[k]));
  const Operand last = code_.max(code_.sub(count, i64(1)), i64(0));
  batch = indicesOf(code_, code_.min(number, last), batches);
  first_row = first_column = i64(0);
  left_rows = linesFrom(code_, rows, first_row, tile_.rows);
  left_columns = linesFrom(code_, columns, first_column, tile_.columns);
}

void TilePlace::placeTile(Operand group) {
  Builder& host = nest_.host;
  const Operands& extents = nest_.outer.extents();
  const size_t around = extents.size() - 2;
  Operand host_tiles = host.mul(host_tiles_down_, host_tiles_across_);
  Operand tiles = scope_.scalar(host_tiles);
  if (chunks_ != nullptr) {
    for (size_t k = 0; k < around; ++k) host_tiles = host.mul(host_tiles, extents[k]);
    Operand of_chunk = scope_.scalar(host_tiles);
    chunk = prim(Op::kMachineDiv, group, of_chunk);
    group = code_.sub(group, code_.mul(chunk, of_chunk));
  }
  Operands batches;
  for (size_t k = 0; k < around; ++k) batches.push_back(scope_.scalar(extents[k]));
  batch = indicesOf(code_, prim(Op::kMachineDiv, group, tiles), batches);
  placeInBand(prim(Op::kMachineRem, group, tiles));
  left_rows = linesFrom(code_, rows, first_row, tile_.rows);
  left_columns = linesFrom(code_, columns, first_column, tile_.columns);
}

// Tile `number` of a batch; the last band may have fewer rows of tiles.
void TilePlace::placeInBand(const Operand& number) {
  Builder& host = nest_.host;
  Operand host_bands = groupsFor(host, host_tiles_down_, tile_.band);
  Operand host_above = host.mul(host.sub(host_bands, i64(1)), i64(tile_.band));
  Operand bands = scope_.scalar(host_bands);
  Operand least = scope_.scalar(host.sub(host_tiles_down_, host_above));
  Operand in_band = scope_.scalar(host.mul(host_tiles_across_, i64(tile_.band)));
  Operand band = prim(Op::kMachineDiv, number, in_band);
  Operand within = prim(Op::kMachineRem, number, in_band);
  Operand is_last = prim(Op::kEq, code_.add(band, i64(1)), bands);
  Operand high = code_.let("high", ScalarType::kI64, Select{is_last, least, i64(tile_.band)});
  Operand above = code_.mul(band, i64(tile_.band));
  Operand below = prim(Op::kMachineRem, within, high);
  first_row = code_.mul(code_.add(above, below), i64(tile_.rows));
  first_column = code_.mul(prim(Op::kMachineDiv, within, high), i64(tile_.columns));
}

void TilePlace::placeInvocation() {
  if (tile_.cell_rows == 0) return;
  Operand lane = prim(Op::kAnd, lid, i64(tile_.lanes() - 1));
  Operand rectangle = prim(Op::kMachineDiv, lid, i64(tile_.lanes()));
  const int64_t high = tile_.cell_rows * tile_.lane_rows;
  const int64_t wide = tile_.cell_columns * tile_.lane_columns();
  Operand down = prim(Op::kMachineRem, rectangle, i64(tile_.rows / high));
  Operand across = prim(Op::kMachineDiv, rectangle, i64(tile_.rows / high));
  Operand lane_down = prim(Op::kMachineDiv, lane, i64(tile_.lane_columns()));
  Operand lane_across = prim(Op::kMachineRem, lane, i64(tile_.lane_columns()));
  Operand skipped_rows = code_.mul(down, i64(high));
  Operand skipped_columns = code_.mul(across, i64(wide));
  own_row = code_.add(skipped_rows, code_.mul(lane_down, i64(4)));
  own_column = code_.add(skipped_columns, code_.mul(lane_across, i64(4)));
}

void TilePlace::placeChunk() {
  length = depth;
  if (chunks_ == nullptr) return;
  Operand most = scope_.scalar(chunks_->length);
  if (tile_.slices > 1) return placeSlice(most);
  begin = code_.max(code_.min(code_.mul(chunk, most), depth), i64(0));
  length = code_.min(most, code_.sub(depth, begin));
}

// Slices of a chunk are neighbours, of which the last ones may have nothing.
void TilePlace::placeSlice(const Operand& chunk_length) {
  Builder& host = nest_.host;
  slice_length = scope_.scalar(
      host.prim(Op::kMachineDiv, ScalarType::kI64, {chunks_->length, i64(tile_.slices)}));
  Operand first = code_.add(code_.mul(chunk, chunk_length), code_.mul(slice, slice_length));
  begin = code_.max(code_.min(first, depth), i64(0));
  length = code_.min(slice_length, code_.sub(depth, begin));
}

Operand TilePlace::workgroups() const {
  Builder& host = nest_.host;
  if (tile_.matrices > 1) return divideUp(host, matrices(), i64(tile_.matrices));
  const Operand groups = host.mul(host.mul(host_tiles_down_, host_tiles_across_), matrices());
  return chunks_ == nullptr ? groups : host.mul(groups, chunks_->count);
}

}  // namespace halo::gpu
