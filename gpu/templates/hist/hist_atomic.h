// Histograms by atomic operations, where order cannot show: 4-byte integers (gpu.md#histograms).
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// The device's name of such an operator.
imp::AtomicOp atomicOp(prim::Op op);

TemplateResult emitAtomicHist(imp::Program& program, imp::Builder& host, const KernelCall& call,
                              const AtomicHistSchedule& schedule);

}  // namespace halo::gpu
