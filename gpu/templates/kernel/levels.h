// The levels of a kernel's nest around the statement that its template is about.
#pragma once

#include "gpu/templates/kernel/kernel_scope.h"

namespace halo::gpu {

class OuterLevels {
 public:
  // `levels` as of gpu/plan/nests/nest.h: the last one is the template's own.
  OuterLevels(const KernelCall& call, std::vector<const core::Screma*> levels);

  bool empty() const { return extents_.empty(); }
  const imp::Operands& extents() const { return extents_; }  // host
  imp::Operand count(imp::Builder& host) const;
  // Of all ranks: they decide how sums are divided.
  imp::Operand wholeExtent(size_t level) const;
  imp::Operand wholeCount(imp::Builder& host) const;

  // Statements in front of the kernel's own, then for each level its inputs and the code before the
  // next one, at these indices.
  void bind(imp::Builder& code, imp::Environment& environment, const imp::LoweringTarget& target,
            const imp::Operands& indices) const;

 private:
  const KernelCall& call_;
  std::vector<const core::Screma*> levels_;
  const core::Screma* own_;  // the template's level
  imp::Operands extents_;
};

}  // namespace halo::gpu
