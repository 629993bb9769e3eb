// The version of a stencil step with reductions over its cells.
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

// Whether a kernel is such a step.
bool isStencilReduce(const core::Function& kernel);

// Cells of an invocation lie below each other; of a line, behind each other.
KernelChoice chooseTileReduce(const core::Program& program, const core::Function& kernel,
                              const Limits& limits, const Request& request);

}  // namespace halo::gpu
