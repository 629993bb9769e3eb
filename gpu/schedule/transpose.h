// Schedules of copies: element by element, or by square tiles (docs/gpu.md#copies).
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

inline constexpr int64_t kTransposeThreads = 256;

KernelChoice chooseCopy(const Launches& launches, const core::Function& kernel,
                        const Limits& limits, const Request& request);

// Of a tile of elements with so many bytes.
int64_t transposeSide(TransposeSchedule::Access access, int64_t element_bytes);

}  // namespace halo::gpu
