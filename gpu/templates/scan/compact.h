// Scans that count flags and only say where a scatter writes: filter, partition, compaction.
#pragma once

#include "gpu/schedule/schedule.h"
#include "gpu/templates/scan/scan_scatter.h"

namespace halo::gpu {

// Flags are counted first, then elements are read again and written where they belong. No workgroup
// waits for another, so it is right for all devices whose subgroups shuffle. For scans
// that pass isCompaction() (gpu/plan/nodes/scan_scatter.h).
TemplateResult emitCompaction(imp::Program& program, imp::Builder& host, ScanScatter& scatter,
                              const CompactionSchedule& schedule);

}  // namespace halo::gpu
