// Schedules of scans: along the last axis, along columns, fused with a scatter (docs/gpu.md#scans).
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

// `function`: with the views that say how results are stored.
KernelChoice chooseScan(const core::Program& program, const core::Function& function,
                        const Limits& limits, const Request& request);

// A kernel that ends with a scan and a scatter.
KernelChoice chooseScanScatter(const core::Program& program, const core::Function& kernel,
                               const Limits& limits, const Request& request);

// A kernel that ends with a scan and a map.
KernelChoice chooseScanMap(const core::Program& program, const core::Function& kernel,
                           const Limits& limits, const Request& request);

// Versions for columns depend on these and on extents.
struct ColumnScanTraits {
  size_t words = 1;           // of an element
  bool are_words = true;      // each value has 4 bytes: these may wait in shared memory
  int64_t bytes = 4;          // of an element
  bool may_look_back = true;  // straight code on a device whose workgroups see each other's stores
  bool is_straight = true;    // code that may stand several times
};
// Versions of a scan whose results lie along another axis; their guards hold for no other scan.
ScheduleVersions columnScanVersions(const ColumnScanTraits& traits, const Limits& limits,
                                    const Request& request);

// Compactions: scans that pass isCompaction() (gpu/plan/nodes/scan_scatter.h).
struct CompactionNode {
  const core::Program& program;
  const core::Screma& scan;
  const core::Scatter& scatter;
  bool takes_totals = false;  // the scatter takes counts of all elements
};

void addCompactions(ScheduleVersions& versions, const CompactionNode& node, const Limits& limits,
                    const Request& request);

}  // namespace halo::gpu
