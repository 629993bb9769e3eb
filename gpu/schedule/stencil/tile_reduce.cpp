#include "gpu/schedule/stencil/tile_reduce.h"

#include "gpu/schedule/node_code.h"
#include "lang/core/tile_sums.h"

namespace halo::gpu {
namespace {

// Steps that wait for launches. The code behind the tile takes more than a launch does where there
// are many of them. (With a norm on an H200: 1024 x 1024, 256 tiles, 10.0 us to 9.3; 4096 x 4096
// 59 to 72.)
constexpr int64_t kFewTiles = 1024;

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

KernelChoice chooseTileReduce(const core::Program& program, const core::Function& kernel,
                              const Limits& limits, const Request& request) {
  const core::Stencil& step = *stepOf(kernel);
  TileReduceSchedule s;
  if (step.space.size() == 1) s.columns = s.workgroup;
  // `chunks:2` wants two launches, as of other reductions.
  const bool is_one = !step.partial_tiles && request.number("chunks", 0, 1) != 2;
  if (is_one && lastGroupCombines(program, step.reductions, limits)) {
    s.last_combines = kFewTiles;
  }
  return {{{{}, s, "tiles of cells are combined on the way"}}, {}, ""};
}

}  // namespace halo::gpu
