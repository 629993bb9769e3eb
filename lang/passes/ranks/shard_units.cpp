// Of how many rows blocks are multiples, so that each rank has whole chunks and tiles of sums.
#include <numeric>

#include "lang/core/chunk_sums.h"
#include "lang/core/lane_sums.h"
#include "lang/core/tile_sums.h"
#include "lang/passes/ranks/shard_rows.h"

namespace halo::passes {

using core::kOne;
using core::kZero;
using core::Operand;
using prim::Op;
using prim::ScalarType;

// Fewer elements than lanes are all partial values: any blocks do.
Operand OwnRows::unitOf(Builder& b, const Operand& n, const Operand& chunk) const {
  const ShardPlan::Unit unit = plan_.unitOf(n);
  const Operand rows = Operand::ofI64(unit.rows(unit.multiple));
  if (unit.has_chunks) {
    const int64_t chunks = unit.rows(core::kChunkTile) / core::kChunkTile;
    return chunks == 1
               ? chunk
               : b.prim(prim::Op::kMul, prim::ScalarType::kI64, {chunk, Operand::ofI64(chunks)});
  }
  if (!unit.lines.empty()) return unitOfPlanes(b, unit);
  if (!unit.has_lanes) return rows;
  const Operand chunks = Operand::ofI64(unit.rows(std::lcm(unit.multiple, core::kSumChunk)));
  const Operand is_short =
      b.prim(prim::Op::kLt, prim::ScalarType::kI64, {n, Operand::ofI64(core::kSumLanes)});
  return b.bind("unit", {prim::ScalarType::kI64, {}}, core::Select{is_short, rows, chunks});
}

// Planes whose lines are whole tiles: as few as have a multiple of kTileLines. The number of lines
// has a largest power of two that divides it.
Operand OwnRows::unitOfPlanes(Builder& b, const ShardPlan::Unit& unit) {
  const Operand tile = Operand::ofI64(core::kTileLines);
  Operand planes = tile;
  if (unit.lines.size() == 1) {
    const Operand lines = unit.lines[0];
    const Operand power = binary(b, Op::kAnd, lines, b.sub(kZero, lines));
    const Operand some = binary(b, Op::kMax, binary(b, Op::kMin, power, tile), kOne);
    planes = binary(b, Op::kQuot, tile, some);
  }
  planes = binary(b, Op::kMax, planes, Operand::ofI64(unit.multiple));
  return b.mul(divideUp(b, Operand::ofI64(unit.least), planes), planes);
}

// The elements of a chunk of a sum over so many (core/chunk_sums.h).
Operand OwnRows::chunkOf(Builder& b, const Operand& n) const {
  const Operand tile = Operand::ofI64(core::kChunkTile);
  const Operand whole_tiles =
      binary(b, Op::kMin, binary(b, Op::kQuot, n, tile), Operand::ofI64(core::kMaxChunks));
  const Operand chunks = binary(b, Op::kMax, whole_tiles, kOne);
  const Operand tiles = divideUp(b, divideUp(b, n, chunks), tile);
  return binary(b, Op::kMax, binary(b, Op::kMul, tiles, tile), tile);
}

}  // namespace halo::passes
