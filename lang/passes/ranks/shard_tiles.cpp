// Sums over the cells of stencils, whose order the sizes decide (core/tile_sums.h).
//
//   (own: [v]f32, w: [ext][m]f32) = stencil [ext][m] (window e clamp {..}) map ..
//       reduce f32.add 0f32 partial [v] rows [above][rows] tile [64][64]
//   (p, all: [p]f32) = call move.join (own)
//   s = screma [p] (all) reduce f32.add 0f32 joins_tiles
//
// Blocks of rows are whole tiles, but for the last one: the values are those of one rank. An engine
// with bands of rows joins them one after the other.
#include "lang/core/tile_sums.h"

#include "lang/passes/ranks/shard_sums.h"

namespace halo::passes {
namespace {

using core::kOne;
using core::kZero;
using core::Operand;
using core::Operands;
using core::Reduction;
using core::Stencil;
using core::Stm;
using core::ValueId;
using prim::Op;
using prim::ScalarType;

}  // namespace

// Those of the own rows.
core::PartialTiles RankSums::tilesOf(Builder& b, const Stencil& own, const Strip& strip) {
  const Operand rows = b.sub(b.sub(strip.ext, strip.above), strip.below);
  const size_t rank = own.space.size();
  const bool has_bands = options_.sums == ShardOptions::Order::kLanes;
  core::PartialTiles tiles{{}, strip.above, rows, kOne, {}};
  if (rank == 1) {
    tiles.columns = Operand::ofI64(has_bands ? core::kBandRows[1] : core::kLineTile);
    tiles.values = divideUp(b, rows, tiles.columns);
    return tiles;
  }
  Operand lines = kOne;  // of a row
  for (size_t axis = 1; axis + 1 < rank; ++axis) lines = b.mul(lines, own.space[axis]);
  tiles.lines = Operand::ofI64(core::kTileLines);
  tiles.columns = Operand::ofI64(core::kTileColumns);
  if (has_bands) {
    const Operand of_band = b.mul(lines, Operand::ofI64(core::kBandRows[rank]));
    tiles.lines = binary(b, Op::kMax, of_band, kOne);
    tiles.columns = binary(b, Op::kMax, own.space.back(), kOne);
  }
  tiles.values = b.mul(divideUp(b, b.mul(rows, lines), tiles.lines),
                       divideUp(b, own.space.back(), tiles.columns));
  return tiles;
}

void RankSums::joinTiles(Builder& b, const Stm& stm, const Stencil& stencil,
                         const std::vector<ValueId>& partial) {
  std::vector<ValueId> all = joinedValues(b, partial);
  const Operand count = all[0];
  all.erase(all.begin());
  std::vector<ValueId> sums(stm.results.begin(),
                            stm.results.begin() + static_cast<std::ptrdiff_t>(partial.size()));
  for (ValueId sum : sums) own_.tell("partial values of `{}_{}` are gathered on every rank", sum);
  if (options_.sums == ShardOptions::Order::kLanes) {
    Operands initial;
    for (const Reduction& reduction : stencil.reductions) {
      initial.insert(initial.end(), reduction.neutral.begin(), reduction.neutral.end());
    }
    core::Loop loop = sumOf(stencil.reductions, all, initial, {kZero, count}, true);
    return b.append({std::move(sums), std::move(loop), false, stm.span});
  }
  core::Screma joining = reduced(count, all, stencil.reductions, 1);
  joining.joins = core::Joins::kTiles;
  b.append({std::move(sums), std::move(joining), false, stm.span});
}

}  // namespace halo::passes
