// Histograms of few elements by any operator on scalars, in their order.
#pragma once

#include "gpu/templates/hist/hist_groups.h"

namespace halo::gpu {

class FewHist : private GroupHist {
 public:
  FewHist(imp::Program& program, imp::Builder& host, const KernelCall& call);

  static bool isPossible(const KernelCall& call);
  imp::Operand fits();  // host: whether there are so few
  TemplateResult run();
};

}  // namespace halo::gpu
