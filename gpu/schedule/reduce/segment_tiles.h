// Register tiles of a nest around a reduction. A run of invocations takes several cells of an outer
// level at once. What does not depend on that level is read and computed once for all of them.
//
//   screma [b] (ks) map (k) { screma [n] (is) map (i) { screma [c] (k, xs) map (a, x) { .. } } }
//
// With a tile of four along level 0, x is loaded once for four k; with two more along level 1, each
// element of k once for two i. A tile along the innermost level takes several elements of a lane at
// once. Rows that belong to the segment, as a point that others are compared with, are then read
// once for these. (Register blocking; Volkov, Better Performance at Lower Occupancy, 2010. Unroll
// and jam: lang/core/jam/jam.h.) Each segment keeps its order.
#pragma once

#include <vector>

#include "gpu/schedule/field_types.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// The tile with the fewest loads and operations for a cell that fits registers; none where tiles
// save little, or where elements are read once anyway.
LevelTiles segmentTile(const core::Program& program, const core::Function& kernel,
                       const std::vector<const core::Screma*>& levels);
// Whether the nest's code can be jammed, by any tile.
bool canTile(const core::Program& program, const core::Function& kernel,
             const std::vector<const core::Screma*>& levels);

// Cells of a tile, and those along levels around the reduction.
int64_t cellsOf(const LevelTiles& tile);
int64_t segmentsOf(const LevelTiles& tile, size_t outer_levels);

}  // namespace halo::gpu
