// Reductions that read memory 16 bytes at a time; those of operators that may take elements in any
// order here, the others in reduce_ordered.h.
#pragma once

#include "gpu/templates/kernel/four.h"

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
  // Variant `chunks`: workgroups for each segment.
  struct Chunks {
    imp::Operand segments, count, length;  // host; `length` of a chunk, a multiple of 4
    // In the kernel, for all invocations of a workgroup: partial value c of segment s, which is
    // item c * segments + s, as its first invocation has it.
    std::function<void(KernelScope& scope, const imp::Operand& lid, const imp::Operand& item,
                       const imp::Operands& total)>
        put;
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
  bool any_order_;  // is right for the operators
};

}  // namespace halo::gpu
