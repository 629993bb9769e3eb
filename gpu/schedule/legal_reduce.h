// Which schedules of reductions and products a device can carry out.
#pragma once

#include <string>

#include "gpu/plan/limits.h"
#include "gpu/schedule/schedule.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// The fault; empty: none.
std::string whyIllegal(const ReduceSchedule& schedule, const Limits& limits);
// Of a schedule that a device can carry out: for this kernel.
std::string whyIllegal(const ReduceSchedule& schedule, const core::Function& kernel);
std::string whyIllegal(const WorkgroupReduceSchedule& schedule, const core::Function& kernel);
std::string whyIllegal(const SubgroupReduceSchedule& schedule, const Limits& limits);
std::string whyIllegal(const WorkgroupReduceSchedule& schedule, const Limits& limits);
std::string whyIllegal(const ColumnReduceSchedule& schedule);
std::string whyIllegal(const ProductSchedule& schedule);
std::string whyIllegal(const SplitProductSchedule& schedule);
std::string whyIllegal(const MatrixProductSchedule& schedule, const Limits& limits);

}  // namespace halo::gpu
