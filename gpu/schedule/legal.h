// Which schedules a device can carry out, and which texts of stage `kernels` are programs.
#pragma once

#include <string>

#include "gpu/schedule/text.h"

namespace halo::gpu {

// Why a device with these limits cannot carry the schedule out; empty if it can.
std::string whyIllegal(const Schedule& schedule, const Limits& limits);

// The first broken rule as invalid_core. The limits or the kernel's kind may forbid a schedule. A
// guard may be no condition of the kernel. A version may follow the one without a guard.
diag::Result<std::monostate> verify(const ScheduledProgram& program);
// A broken rule is a fault of Halo.
void mustVerify(const ScheduledProgram& program);

}  // namespace halo::gpu
