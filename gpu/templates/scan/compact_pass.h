// Compaction in one pass with look-back.
#pragma once

#include "gpu/schedule/schedule.h"
#include "gpu/templates/scan/scan_scatter.h"

namespace halo::gpu {

// For scans that pass isCompaction() (gpu/plan/nodes/scan_scatter.h), whose maps have no checks.
TemplateResult emitCompactionPass(imp::Program& program, imp::Builder& host, ScanScatter& scatter,
                                  const CompactionSchedule& schedule);

}  // namespace halo::gpu
