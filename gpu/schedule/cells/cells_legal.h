// Which schedules of cells a device can carry out (legal.h).
#pragma once

#include <string>

#include "gpu/plan/limits.h"
#include "gpu/schedule/schedule.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// Empty: it can.
std::string whyIllegal(const MapSchedule& s);
std::string whyIllegal(const CellSlotsSchedule& s);
std::string whyIllegal(const StagedCellsSchedule& s, const Limits& limits);
std::string whyIllegal(const RowCellsSchedule& s, const Limits& limits);
// Of a schedule that a device can carry out: for this kernel.
std::string whyIllegal(const RowCellsSchedule& s, const core::Function& kernel);
std::string whyIllegal(const GroupSchedule& s, const Limits& limits);
std::string whyIllegal(const CellLanesSchedule& s, const Limits& limits);

}  // namespace halo::gpu
