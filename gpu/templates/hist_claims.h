// Histograms by any operator, in an order that extents alone decide, for more bins than every
// invocation can have of its own: a workgroup shares them.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

class ClaimHist {
 public:
  ClaimHist(imp::Program& program, imp::Builder& host, const KernelCall& call);

  bool isPossible() const { return possible_; }
  // Host: whether so few bins that they fit shared memory.
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
