// Reductions that read memory 16 bytes at a time; those of operators that may take elements in any
// order here, the others in reduce_ordered.h.
#pragma once

#include "gpu/templates/kernel/four.h"
#include "gpu/templates/reduce/chunks.h"

namespace halo::gpu {

class LaneReduce : public ChunkKernels {
 public:
  LaneReduce(imp::Program& program, imp::Builder& host, const KernelCall& call);

  // Whether it can be done.
  bool applies() const;
  // Variant `lanes`: a run of lanes of one subgroup for each segment. Host: whether it is right for
  // the call's extents, then the work.
  imp::Operand lanesPay();
  TemplateResult runLanes();
  // Variant `chunks`: workgroups for each segment, chunks of a multiple of 4 elements.
  Chunks chunks() override;
  bool runChunks(const Chunks& chunks) override;

 private:
  imp::Operand logLanes(const imp::Operand& width, bool aligned);

  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  std::vector<const core::Screma*> levels_;
  OuterLevels outer_;
  FlatInputs flat_;
  bool any_order_;  // is right for the operators
};

}  // namespace halo::gpu
