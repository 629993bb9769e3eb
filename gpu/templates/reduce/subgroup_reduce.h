// Short segments: a run of a subgroup's lanes for each.
#pragma once

#include "gpu/templates/reduce/vector_reduce.h"

namespace halo::gpu {

TemplateResult emitSubgroups(const ReduceNest& nest, const FlatInputs& flat,
                             const SubgroupReduceSchedule& schedule);

}  // namespace halo::gpu
