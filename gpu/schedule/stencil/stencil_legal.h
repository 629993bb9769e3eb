// Which schedules of stencils a device can carry out.
#pragma once

#include <string>

#include "gpu/plan/limits.h"
#include "gpu/schedule/schedule.h"

namespace halo::gpu {

// The fault; empty: none.
std::string whyIllegal(const RegisterTileSchedule& schedule, const Limits& limits);
std::string whyIllegal(const OverlappedTileSchedule& schedule);
std::string whyIllegal(const PlaneStreamSchedule& schedule, const Limits& limits);
std::string whyIllegal(const SpaceStreamSchedule& schedule, const Limits& limits);
std::string whyIllegal(const TileReduceSchedule& schedule, const Limits& limits);

}  // namespace halo::gpu
