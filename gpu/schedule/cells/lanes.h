// Schedules of maps whose cells reduce rows of their own lengths (docs/gpu.md#rows-of-cells).
#pragma once

#include "gpu/plan/nests/lane_cells.h"
#include "gpu/schedule/choose.h"

namespace halo::gpu {

inline constexpr int64_t kCellLanesWorkgroup = 256;

// Cells that lanes of this device may share; nothing for cells of other kinds.
std::optional<LaneCells> cellsOfLanes(const core::Program& program, const core::Function& kernel,
                                      const Limits& limits);
// Whether workgroups may share them: loops keep their order, and all lanes must reach the barriers,
// which those of a branch do not.
bool haveGroups(const LaneCells& cells);
// Their versions, in front of those with one invocation for each cell.
void addCellLanes(ScheduleVersions& versions, const LaneCells& cells, const Limits& limits,
                  const Request& request);

}  // namespace halo::gpu
