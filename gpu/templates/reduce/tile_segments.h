// The segments of a run's tile (gpu/schedule/reduce/segment_tiles.h).
#pragma once

#include "gpu/templates/reduce/runs.h"

namespace halo::gpu {

bool isSingle(const std::vector<int64_t>& tile);
// Tiles along each level; host.
imp::Operands tileExtents(const ReduceNest& nest, const std::vector<int64_t>& tile);
// Of all ranks; host.
imp::Operand wholeTiles(const ReduceNest& nest, const std::vector<int64_t>& tile);
// Segments of whole tiles, of all ranks; host.
imp::Operand tiledSegments(const ReduceNest& nest, const std::vector<int64_t>& tile);

// A lane for each segment of the tile that `lane` has as its segment.
std::vector<Lane> segmentsOfTile(KernelScope& scope, const ReduceNest& nest, const Spread& spread,
                                 const Lane& lane);

}  // namespace halo::gpu
