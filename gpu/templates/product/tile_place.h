// Which cells a workgroup computes, and which of these an invocation.
#pragma once

#include "gpu/templates/reduce/two_stage.h"

namespace halo::gpu {

// Tiles come in bands of a few rows of tiles, so that those in flight share lines in the cache:
//
//   band 0   0 2 4 6 ..     2 rows of tiles: one below the other, then the next column
//            1 3 5 7 ..
//   band 1   ..
//
// In a tile, 32 neighbouring invocations are a rectangle of lane_rows x lane_columns. Each has
// blocks of 4 x 4 cells at distances of such a rectangle's blocks. Small tiles are one rectangle of
// fewer invocations; each slice of a workgroup has the same tile of another part of the chunk.
class TilePlace {
 public:
  // `chunks`: if lines are cut. A tile without cells of invocations places none.
  TilePlace(KernelScope& scope, const ReduceNest& nest, const ProductSchedule& tile,
            const SegmentChunks* chunks);

  imp::Operand rows, columns, depth;                 // extents
  imp::Operand chunk;                                // number of the chunk
  imp::Operand begin = i64(0), length;               // of its elements; with slices, of the slice's
  imp::Operand slice = i64(0);                       // or number of the product in the workgroup
  imp::Operand exists = prim::Scalar::ofBool(true);  // the workgroup may have more than are left
  imp::Operand slice_length;             // of a whole slice: the same in all invocations
  imp::Operands batch;                   // indices of the levels around
  imp::Operand first_row, first_column;  // of the tile
  imp::Operand left_rows, left_columns;  // of the tile's lines: those that there are
  imp::Operand lid;                      // within the slice, or the product
  imp::Operand own_row, own_column;      // of the invocation's first cell, within the tile

  // Cell r of an invocation lies in its block of four rows r / 4.
  int64_t rowOffset(int64_t r) const { return r / 4 * tile_.lane_rows * 4 + r % 4; }
  int64_t columnOffset(int64_t c) const { return c / 4 * tile_.lane_columns() * 4 + c % 4; }
  imp::Operand workgroups() const;  // host

 private:
  imp::Operand matrices() const;
  void placeTeam();
  void placeMatrix();
  void placeTile(imp::Operand group);
  void placeInBand(const imp::Operand& number);
  void placeInvocation();
  void placeChunk();
  void placeSlice(const imp::Operand& chunk_length);
  imp::Operand prim(prim::Op op, const imp::Operand& a, const imp::Operand& b) {
    return code_.prim(op, prim::ScalarType::kI64, {a, b});
  }

  KernelScope& scope_;
  const ReduceNest& nest_;
  const ProductSchedule tile_;
  const SegmentChunks* chunks_;
  imp::Builder& code_;
  imp::Operand host_rows_, host_tiles_down_, host_tiles_across_;
};

}  // namespace halo::gpu
