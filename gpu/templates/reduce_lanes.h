// Reductions that read memory 16 bytes at a time, of operators that may take elements in any order.
#pragma once

#include "gpu/templates/four.h"

namespace halo::gpu {

class LaneReduce {
 public:
  LaneReduce(imp::Program& program, imp::Builder& host, const KernelCall& call);

  // Whether it can be done.
  bool applies() const;
  // Variant `lanes`: a run of lanes of one subgroup for each segment. Host: whether it is right for
  // the call's extents, then the work.
  imp::Operand lanesPay();
  TemplateResult runLanes();
  // Variant `chunks`: workgroups for each segment; partial value c of segment s goes to
  // targets[k][offsets[k] + c * segments + s].
  struct Chunks {
    imp::Operand segments, count, length;  // host; `length` of a chunk, a multiple of 4
    std::vector<imp::BufferId> targets;
    imp::Operands offsets;
  };
  Chunks chunks();
  bool runChunks(const Chunks& chunks);

 private:
  imp::Operand logLanes(const imp::Operand& width, bool aligned);

  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  std::vector<const core::Screma*> levels_;
  OuterLevels outer_;
  FlatInputs flat_;
};

}  // namespace halo::gpu
