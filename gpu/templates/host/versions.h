// The host's choice among the schedules of a kernel: guards become host branches here, and nowhere
// else.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// Host operands, by quantity; asked when a guard needs one.
using QuantityOperand = std::function<imp::Operand(Quantity)>;

imp::Operand emitCondition(imp::Builder& host, const Condition& condition,
                           const QuantityOperand& operand);

// One branch for each version, of which those that never run are left out. A call that the CPU
// engine has to run fails here.
void emitVersions(imp::Builder& host, const KernelCall& call, const QuantityOperand& operand,
                  const std::function<void(const Schedule&)>& emit);

}  // namespace halo::gpu
