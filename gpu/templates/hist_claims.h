// Histograms by any operator, in an order that extents alone decide, for more bins than every
// invocation can have of its own: a workgroup shares them.
#pragma once

#include "gpu/templates/hist_groups.h"

namespace halo::gpu {

class ClaimHist : public GroupHistWay {
 public:
  ClaimHist(imp::Program& program, imp::Builder& host, const KernelCall& call);

 private:
  std::vector<int64_t> rooms() const override;
  bool runVersion(size_t which) override;
};

}  // namespace halo::gpu
