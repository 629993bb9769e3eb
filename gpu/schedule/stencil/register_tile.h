// The shape of a register tile, by the number of neighbours and their distance.
#pragma once

#include <optional>
#include <vector>

#include "gpu/plan/limits.h"
#include "gpu/schedule/schedule.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// The tile of rows of whole vectors, or of cells one by one. Nothing for a line, for neighbours
// that only the run time knows or that are far away, for elements that are arrays, and for vectors
// where elements have several sizes.
std::optional<RegisterTileSchedule> registerTile(const core::Program& program,
                                                 const core::Function& kernel,
                                                 const Request& request, bool vectors);

// The tile with its ends peeled, or of unaligned rows.
RegisterTileSchedule peeledTile(const RegisterTileSchedule& vectors);
RegisterTileSchedule unalignedTile(const core::Stencil& stencil,
                                   const RegisterTileSchedule& vectors, const Request& request);

// With the shapes of the boundary's kernels.
RegisterTileSchedule withEdges(const core::Stencil& stencil, RegisterTileSchedule tile);

// The least extents of an array whose interior has room for a tile.
std::vector<int64_t> roomFor(const core::Stencil& stencil, const RegisterTileSchedule& tile);

// Of the interior of a tile whose ends are peeled: its first column, from which on no neighbour is
// outside, also if cells begin earlier by their alignment.
int64_t peeledOrigin(const core::Stencil& stencil, const RegisterTileSchedule& tile);
// How far before the column that they are given cells may begin.
int64_t columnsLost(const RegisterTileSchedule& tile);

}  // namespace halo::gpu
