// Few adjacent columns of a matrix whose rows lie one after another, by vectors.
#pragma once

#include "gpu/templates/reduce/two_stage.h"

namespace halo::gpu {

// Host: whether every input is such a matrix of elements of 4 bytes.
imp::Operand areRowsDense(const ReduceNest& nest);

TemplateResult emitColumnVectors(const ReduceNest& nest, const ColumnReduceSchedule& schedule);

}  // namespace halo::gpu
