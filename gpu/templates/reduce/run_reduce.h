// Reductions by runs of a workgroup's invocations and a tree over shared memory.
#pragma once

#include "gpu/templates/reduce/runs.h"

namespace halo::gpu {

// Each lane combines its share of a chunk, then a tree combines the lanes of a run in order.
TemplateResult emitRuns(const ReduceNest& nest, const ReduceSchedule& schedule);

}  // namespace halo::gpu
