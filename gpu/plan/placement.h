// Which scalars of host code stay in device memory.
#pragma once

#include <unordered_set>

#include "lang/core/ir.h"

namespace halo::gpu {

// Scalar results of kernels, and what is computed from them, that nothing but kernels look at:
//
//   s = call main_1 n xs              reduce; s stays where the kernel writes it
//   t = f32.div s 2f32                computed again by every kernel that takes it
//   ys = call main_2 n t xs           map
//
// Reading one back costs a round trip to the device, tens of microseconds. Control flow, sizes,
// results of bodies and everything else that the host decides by needs the value at once; those are
// not in the set. Neither are 64-bit integers, which may be sizes inside kernels.
std::unordered_set<core::ValueId> deviceScalars(const core::Program& planned,
                                                const core::Function& host);

}  // namespace halo::gpu
