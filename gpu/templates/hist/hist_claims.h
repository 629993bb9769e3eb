// Histograms by any operator, in an order that extents alone decide. They are for more bins than an
// invocation can have of its own: a workgroup shares them.
#pragma once

#include "gpu/templates/hist/hist_groups.h"

namespace halo::gpu {

// The parts of a kernel of such workgroups.
class ClaimKernel : protected GroupHist {
 protected:
  ClaimKernel(imp::Program& program, imp::Builder& host, const KernelCall& call, std::string prefix,
              const OrderedHistSchedule& schedule);

  // First of all.
  void open(KernelScope& scope);
  // The first `bins` of bins_here_ := neutral; all wait for it.
  void clear(KernelScope& scope, const imp::Operand& bins);
  // Elements of this invocation; all have been counted when it ends.
  void countAll(KernelScope& scope, const std::vector<Update>& all);

  int64_t most_bins_, group_;
  std::vector<imp::BufferId> bins_here_;

 private:
  // An element of this invocation.
  struct Element {
    imp::Operand number, word;  // u32; i64, where it takes its bin
    imp::VarId waits;
  };
  void countTogether(KernelScope& scope, const imp::Operand& lid,
                     const std::vector<Update>& updates);
  imp::Operand countRound(KernelScope& scope, const std::vector<Update>& updates,
                          const std::vector<Element>& elements);
  void nextRound(imp::Builder& code);
  imp::Operand isOpen(imp::Builder& code);
  imp::Operand countBin(KernelScope& scope, const imp::Operand& lid,
                        const std::vector<Update>& updates, const std::vector<Element>& elements);
  void combineParts(KernelScope& scope, const imp::Operand& lid, const imp::Operand& bin);

  int64_t at_once_, words_;
  std::vector<imp::BufferId> values_;  // of the elements of a bin
  imp::BufferId claims_;
  imp::BufferId open_;              // the last round in which an element had to wait
  imp::BufferId least_, frequent_;  // the first that waits, its bin
  imp::VarId round_;
};

TemplateResult emitClaimHist(imp::Program& program, imp::Builder& host, const KernelCall& call,
                             const OrderedHistSchedule& schedule);

}  // namespace halo::gpu
