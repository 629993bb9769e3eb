// Histograms of many bins by any operator, by sorting.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// `sorted`: elements are sorted by their bins, neighbours combined. Reads and writes each a few
// times, however many bins there are and however often one comes up.
class SortedHist {
 public:
  SortedHist(imp::Program& program, imp::Builder& host, const KernelCall& call);

  bool isPossible() const;  // one operation on scalars
  imp::Operand fits();      // host: whether there are enough, and numbers of 32 bits for them
  TemplateResult run();

 private:
  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
};

}  // namespace halo::gpu
