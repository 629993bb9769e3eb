// Copies of arrays whose elements lie together along another axis than the last (gpu.md#copies).
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// Do neighbouring elements of the last dimension lie apart, and those of another one together?
bool isTransposed(const imp::ArrayRef& from);

// Whether arrays are so small that nothing is gained by tiles, or so narrow that these would be all
// but empty (bench/gpu/sweep, `transposed` and `permuted`); host.
imp::Operand isTransposedByCells(imp::Builder& host, const KernelCall& call,
                                 const imp::ArrayRef& from);

// Copies `from`, an argument of the kernel, to its result: a square tile goes through shared
// memory, so that both reads and writes are of neighbouring elements.
TemplateResult emitTranspose(imp::Program& program, imp::Builder& host, const KernelCall& call,
                             const imp::ArrayRef& from);

}  // namespace halo::gpu
