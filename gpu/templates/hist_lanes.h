// Histograms by any operator, in an order that extents alone decide: every invocation has bins of
// its own in shared memory.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

class LaneHist {
 public:
  LaneHist(imp::Program& program, imp::Builder& host, const KernelCall& call);

  // One operation on scalars whose code may stand many times in a kernel.
  bool isPossible() const { return possible_; }
  // Host: whether so few bins that they fit.
  imp::Operand fits();
  TemplateResult run();

 private:
  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  imp::Operand bins_;  // host
  int64_t bytes_ = 0;  // of a bin
  bool possible_ = false;
};

}  // namespace halo::gpu
