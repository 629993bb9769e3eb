#include "gpu/schedule/stencil/tile_reduce.h"

#include "lang/core/tile_sums.h"

namespace halo::gpu {
namespace {

// Ranks of a job have the same tiles.
constexpr TileReduceSchedule kTile;
static_assert(kTile.columns == core::kTileColumns);
static_assert(kTile.workgroup / kTile.columns * kTile.cells == core::kTileLines);
static_assert(kTile.workgroup * kTile.cells == core::kLineTile);

const core::Stencil* stepOf(const core::Function& kernel) {
  if (kernel.kernel[0].kind != core::KernelKind::kStencil) return nullptr;
  return std::get_if<core::Stencil>(&kernel.body.stms.back().expr);
}

}  // namespace

bool isStencilReduce(const core::Function& kernel) {
  const core::Stencil* step = stepOf(kernel);
  return step != nullptr && !step->reductions.empty();
}

KernelChoice chooseTileReduce(const core::Function& kernel) {
  TileReduceSchedule s;
  if (stepOf(kernel)->space.size() == 1) s.columns = s.workgroup;
  return {{{{}, s, "tiles of cells are combined on the way"}}, {}, ""};
}

}  // namespace halo::gpu
