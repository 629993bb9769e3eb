// Copies of arrays whose elements lie together along another axis than the last (gpu.md#copies).
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// Do neighbouring elements of the last dimension lie at a stride, and those of another one
// together?
bool isTransposed(const imp::ArrayRef& from);

// A quantity of the copy of `from`, an argument of the kernel; host.
imp::Operand copyQuantity(imp::Builder& host, const KernelCall& call, const imp::ArrayRef& from,
                          Quantity quantity);

// Copies `from` to the kernel's result: a square tile goes through shared memory, so that both
// reads and writes are of neighbouring elements. Whether the kernel is supported.
bool emitTranspose(imp::Program& program, imp::Builder& host, const KernelCall& call,
                   const imp::ArrayRef& from, const TransposeSchedule& schedule);

}  // namespace halo::gpu
