// The code of an operator on rows for one element of each.
#pragma once

#include "gpu/plan/nodes/row_operator.h"
#include "gpu/templates/templates.h"

namespace halo::gpu {

// The operator's results for these values, which stand in the order of its parameters.
imp::Operands applyToElements(KernelScope& scope, const RowOperator& op,
                              const imp::Environment& known, const imp::Operands& values);

}  // namespace halo::gpu
