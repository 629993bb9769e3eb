// Histograms of rows of 4-byte integers under + min max & | ^: an invocation for each element of
// each row, straight to the destinations.
#pragma once

#include "gpu/templates/hist/row_operator.h"

namespace halo::gpu {

// For more bins than fit a workgroup (hist_tables.h); order cannot show.
class RowAtomics {
 public:
  RowAtomics(imp::Program& program, imp::Builder& host, const KernelCall& call);

  bool isPossible() const { return possible_; }
  TemplateResult run();

 private:
  struct Counted {
    const core::HistOp* node;
    imp::AtomicOp op;
    imp::ArrayRef destination;  // host
    imp::Operand row;           // host; elements of a row
  };
  void find();
  void update(KernelScope& scope, const imp::Place& place, const imp::Operand& i,
              const imp::Operand& column);

  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  const core::Hist& hist_;
  std::vector<Counted> all_;
  bool possible_ = false;
};

}  // namespace halo::gpu
