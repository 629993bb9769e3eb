// Scans that read and write memory once: a tile's elements stay in the registers of a workgroup.
#pragma once

#include "gpu/schedule/schedule.h"
#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/kernel/levels.h"
#include "gpu/templates/scan/scan_scatter.h"

namespace halo::gpu {

// Carry::kLookback: a tile finds the sum before it by decoupled look-back at the sums that earlier
// tiles have posted (gpu.md#look-back). Segments have tiles of their own. Carry::kNone: tiles hold
// whole segments, which need nothing from each other.
TemplateResult emitTileScan(imp::Program& program, imp::Builder& host, const KernelCall& call,
                            const ScanSchedule& schedule);
// The scanned values are scattered instead of stored.
TemplateResult emitTileScan(imp::Program& program, imp::Builder& host, ScanScatter& scatter,
                            const ScanSchedule& schedule);

}  // namespace halo::gpu
