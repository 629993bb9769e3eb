// Schedules of reductions, whole or of a nest's segments (docs/gpu.md#reductions).
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

// `function`: of kind reduce. Nothing is refused: the last version takes any operators.
KernelChoice chooseReduce(const core::Program& program, const core::Function& function,
                          const Limits& limits, const Request& request);

// Of a lane that combines the values of chunks, where few workgroups do.
inline constexpr int64_t kChunksPerLane = 4;

}  // namespace halo::gpu
