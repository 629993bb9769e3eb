// Scalars of host code that kernels make: the host waits before it can look at one.
//
//   s = screma [n] (xs) reduce f32.add 0;  x = index xs[i];  t = f32.add s x
//
// Here s, x and t. A branch by such a scalar gives scalars of the device, and a loop carries them.
//
// Counts of loops around kernels are no scalars of the device, nor is what the host computes them
// from: it has read them before the loop starts.
#pragma once

#include <unordered_set>

#include "lang/core/ir.h"

namespace halo::gpu {

using DeviceScalars = std::unordered_set<core::ValueId>;

// Adds those that the body and the bodies in it bind; `known` has those from outside.
void addDeviceScalars(const core::Program& program, const core::Body& body, DeviceScalars& known);

}  // namespace halo::gpu
