// Scans that count flags and only say where a scatter writes: filter, partition, compaction.
#pragma once

#include "gpu/templates/scan_scatter.h"

namespace halo::gpu {

// Whose scans are countsFlags().
TemplateResult emitCompaction(imp::Program& program, imp::Builder& host, ScanScatter& scatter);

}  // namespace halo::gpu
