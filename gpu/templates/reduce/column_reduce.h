// Few adjacent columns of a matrix.
#pragma once

#include "gpu/templates/reduce/two_stage.h"

namespace halo::gpu {

TemplateResult emitColumns(const ReduceNest& nest, const ColumnReduceSchedule& schedule);

}  // namespace halo::gpu
