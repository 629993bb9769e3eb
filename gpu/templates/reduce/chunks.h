// Chunks of a reduction's segments: the kernels that reduce each of them, before a second launch
// combines them.
#pragma once

#include "gpu/templates/kernel/kernel_scope.h"

namespace halo::gpu {

struct Chunks {
  imp::Operand segments, count, length;  // host; `length` of a chunk, but the last of a segment
  // In the kernel, where an invocation has the value of chunk c of segment s; `item` is
  // c * segments + s.
  std::function<void(KernelScope& scope, const imp::Operand& item, const imp::Operands& total)> put;
};

class ChunkKernels {
 public:
  ChunkKernels() = default;
  virtual ~ChunkKernels() = default;
  ChunkKernels(const ChunkKernels&) = delete;
  ChunkKernels& operator=(const ChunkKernels&) = delete;

  virtual Chunks chunks() = 0;
  virtual bool runChunks(const Chunks& chunks) = 0;
};

}  // namespace halo::gpu
