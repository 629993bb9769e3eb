// Histograms of many bins by any operator on scalars, in an order that extents and bins decide.
// Elements are brought together by ranges of bins first, so that a range fits a workgroup.
#pragma once

#include "gpu/templates/hist/hist_groups.h"

namespace halo::gpu {

class RangeHist {
 public:
  RangeHist(imp::Program& program, imp::Builder& host, const KernelCall& call);

  bool isPossible() const;
  imp::Operand fits();  // host: whether bins and elements are neither too many nor too few
  TemplateResult run();

 private:
  // Bits of a bin within its range: for few bins and for more.
  std::vector<int> lows() const;
  imp::Operand haveRoom(int low);  // host: for all bins

  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
};

}  // namespace halo::gpu
