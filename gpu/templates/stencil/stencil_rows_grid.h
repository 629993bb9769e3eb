// Which cells an invocation of a stencil by rows computes, and how many workgroups there are.
#pragma once

#include "gpu/templates/stencil/stencil_rows.h"

namespace halo::gpu {

class RowsGrid {
 public:
  RowsGrid(KernelScope& scope, const RowsShape& shape, size_t rank);

  // Lays the grid over one box, or over several, one behind the other along its second dimension.
  // Gives the number of workgroups; host operands.
  imp::Operands over(const Box& box);
  imp::Operands over(const std::vector<Box>& boxes);

  // The invocation's first cell along an axis but the last, and its first column of a block.
  const imp::Operand& first(size_t axis) const { return first_[axis]; }
  imp::Operand firstColumn(int64_t block, const imp::Operands& extents);

 private:
  imp::Operand atMost(const imp::Operand& first, const imp::Operand& origin,
                      const imp::Operand& size, int64_t own);
  void findFirst(size_t axis, const imp::Operand& number);
  imp::Operand atAlignment(const imp::Operand& column, const imp::Operands& extents);
  void enter(const Box& box);
  imp::Operand groupsAcross(const imp::Operand& columns);
  imp::Operand groupsAlong(size_t axis, const imp::Operand& size);
  int64_t across(size_t axis) const { return axis == 0 ? shape_.rows : shape_.lines; }
  // A row's workgroups; the lanes that are left of it, rounded up, and rows of them for as many
  // lanes as a workgroup has. Host operands.
  struct Rest {
    imp::Operand is_there, groups, width, rows;
  };
  Rest restOf(const imp::Operand& columns);
  imp::Operands withRest(const Box& box);
  imp::Operands inSlabs(const Box& box, const imp::Operands& groups);
  imp::Operand localRow();

  KernelScope& scope_;
  imp::Builder& host_;
  imp::Builder& code_;
  const RowsShape& shape_;
  size_t rank_;
  imp::Operands origin_, size_;  // of the box
  imp::Operands first_;
  std::optional<imp::Operand> lane_;  // of all that a row has, where remainders have kernels
};

}  // namespace halo::gpu
