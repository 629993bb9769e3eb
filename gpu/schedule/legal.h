// Which schedules a device can carry out, and which texts of stage `kernels` are programs.
#pragma once

#include <string>

#include "gpu/schedule/text.h"

namespace halo::gpu {

// Why a device with these limits cannot carry the schedule out; empty if it can.
std::string whyIllegal(const Schedule& schedule, const Limits& limits);

// The first broken rule as invalid_core. A schedule may be forbidden by the limits or the kernel's
// kind, a guard may be no condition of the kernel, or a version may follow the one without a guard.
diag::Result<std::monostate> verify(const ScheduledProgram& program);
// A broken rule is a fault of Halo.
void mustVerify(const ScheduledProgram& program);

}  // namespace halo::gpu
