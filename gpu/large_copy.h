// Copies within the memory of a device.
#pragma once

#include "gpu/context.h"

namespace halo::gpu {

// Whether a kernel does it: large pieces that begin at multiples of 16 bytes. A device's own
// command may take several times as long for those (measured: 0.85 TB/s where a kernel has 4.1).
bool isLargeCopy(uint64_t to, uint64_t from, uint64_t bytes);

// Requires: that. The regions do not overlap.
diag::Result<std::monostate> copyByKernel(Context& context, uint64_t to, uint64_t from,
                                          uint64_t bytes);

}  // namespace halo::gpu
