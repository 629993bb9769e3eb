// Chunks of segments: a workgroup for each.
#pragma once

#include "gpu/templates/reduce/two_stage.h"
#include "gpu/templates/reduce/vector_reduce.h"

namespace halo::gpu {

TemplateResult emitWorkgroups(const ReduceNest& nest, const FlatInputs& flat,
                              const WorkgroupReduceSchedule& schedule);

}  // namespace halo::gpu
