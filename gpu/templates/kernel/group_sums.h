// The sums that an invocation keeps for a node's reductions, until its workgroup puts them
// together.
#pragma once

#include "gpu/templates/kernel/tree.h"

namespace halo::gpu {

// Values are numbered over all reductions: 0 .. arity of the first, and so on.
class GroupSums {
 public:
  // The operators may mention names of `environment`. Sums begin at the neutral elements.
  GroupSums(KernelScope& scope, const imp::Environment& environment,
            const std::vector<core::Reduction>& reductions);

  // Each sum := op(sum, values); `value(k)` emits value k on request.
  void add(const std::function<imp::Operand(size_t k)>& value);
  // The invocations in runs of 2^log_lanes: the run's values go together (reduceRuns), those of
  // several sums at once.
  void combineRuns(const imp::Operand& lid, const imp::Operand& log_lanes);
  static void combineRuns(std::vector<GroupSums>& sums, const imp::Operand& lid,
                          const imp::Operand& log_lanes);
  // The same in rows of so many columns (reduceColumns).
  void combineColumns(const imp::Operand& lid, const imp::Operand& row, const imp::Operand& rows,
                      const imp::Operand& columns);
  static void combineColumns(std::vector<GroupSums>& sums, const imp::Operand& lid,
                             const imp::Operand& row, const imp::Operand& rows,
                             const imp::Operand& columns);
  // The invocation's own sums.
  imp::Operands values() const;
  // Then, in the first invocation of a run: the run's sums.
  imp::Operands totals(const imp::Operand& lid);

 private:
  std::vector<Combiner*> stored(const imp::Operand& lid);

  KernelScope* scope_;
  std::vector<Combiner> ops_;
  std::vector<std::vector<imp::VarId>> sums_;  // by reduction
};

}  // namespace halo::gpu
