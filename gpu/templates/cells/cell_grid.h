// Index spaces of up to three axes over grids: x is the last axis.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// A line of fewer cells than the schedule's line gets as many invocations as the next power of two.
// A workgroup has more lines then. For example, 4 x 32 x 2 invocations do (n, m, 3). Where
// only the host knows how long lines are, a workgroup is a row of invocations, which it cuts into
// lines.
class CellGrid {
 public:
  CellGrid(KernelScope& scope, const imp::Operands& host_space, const MapSchedule& schedule);

  size_t rank() const { return host_space_.size(); }
  const imp::Operands& extents() const { return extents_; }  // in the kernel
  // The axis along which an invocation may have several cells.
  size_t shared() const { return rank() < 2 ? 0 : rank() - 2; }
  bool isCutByHost() const { return !logs_.empty(); }

  // The number of the invocation along this axis.
  imp::Operand globalId(size_t axis);
  // Bounds that hold anyway show that indices need no more than 32 bits (raise.h, narrow).
  imp::Operand within(const imp::Operand& value, const imp::Operand& most);
  // For so many cells of an invocation.
  Grid grid(int64_t cells);

 private:
  void fitLines(const MapSchedule& schedule);
  imp::Operand logOf(const imp::Operand& extent);
  imp::Operand logAt(size_t dimension);

  KernelScope& scope_;
  imp::Builder& code_;
  const imp::Operands& host_space_;
  imp::Operands extents_;
  int64_t log_group_;
  int64_t workgroup_[3] = {1, 1, 1};
  imp::Operands
      logs_;  // of its size in each dimension, x first, where only the host knows it; host
  imp::Operand lid_;
};

}  // namespace halo::gpu
