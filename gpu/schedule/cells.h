// Schedules of maps whose cells reduce rows of their own lengths (docs/gpu.md#rows-of-cells).
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

inline constexpr int64_t kCellLanesWorkgroup = 256;

// Nothing for cells of other kinds, whose template still chooses.
std::optional<KernelChoice> chooseCells(const core::Program& program, const core::Function& kernel,
                                        const Limits& limits, const Request& request);

}  // namespace halo::gpu
