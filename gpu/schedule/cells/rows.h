// Schedules of cells that read or write short rows, such as `[n][3]f32`
// (docs/gpu.md#cells-with-short-rows).
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

// An array of rows with at most so many elements, as far as its type says.
bool mayBeShortRows(const core::Program& program, core::ValueId array, int64_t most);

// Adds the version, if the kernel's outermost map has such inputs or results. `kernel`: without
// layout.
void addRowCells(KernelChoice& choice, const core::Program& program, const core::Function& kernel,
                 const Limits& limits, const Request& request);

}  // namespace halo::gpu
