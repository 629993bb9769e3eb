// Histograms by any operator, in an order that extents alone decide: every invocation has bins of
// its own in shared memory.
#pragma once

#include "gpu/templates/hist/hist_groups.h"

namespace halo::gpu {

class LaneHist : public GroupHistWay {
 public:
  LaneHist(imp::Program& program, imp::Builder& host, const KernelCall& call);

 private:
  std::vector<int64_t> rooms() const override;
  bool runVersion(size_t which) override;
};

}  // namespace halo::gpu
