// Histograms by atomic operations, where order cannot show: 4-byte integers (gpu.md#histograms).
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// Whether every operation is one of + min max & | ^ on 4-byte integers, one number for each bin.
bool isAtomic(const KernelCall& call);

// The device's name of such an operator.
imp::AtomicOp atomicOp(prim::Op op);

TemplateResult emitAtomicHist(imp::Program& program, imp::Builder& host, const KernelCall& call);

}  // namespace halo::gpu
