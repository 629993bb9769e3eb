// One Combiner for each reduction.
#include "gpu/templates/kernel/group_sums.h"

namespace halo::gpu {

using namespace imp;

GroupSums::GroupSums(KernelScope& scope, const Environment& environment,
                     const std::vector<core::Reduction>& reductions)
    : scope_(&scope) {
  for (const core::Reduction& reduction : reductions) {
    ops_.emplace_back(scope, environment, reduction.op, reduction.neutral);
  }
  for (Combiner& op : ops_) sums_.push_back(op.declareNeutral("acc"));
}

void GroupSums::add(const std::function<Operand(size_t k)>& value) {
  size_t next = 0;
  for (size_t r = 0; r < ops_.size(); ++r) {
    Operands right;
    for (size_t k = 0; k < ops_[r].arity(); ++k) right.push_back(value(next++));
    ops_[r].combineInto(sums_[r], asOperands(sums_[r]), right);
  }
}

// In shared memory.
std::vector<Combiner*> GroupSums::stored(const Operand& lid) {
  std::vector<Combiner*> ops;
  for (size_t r = 0; r < ops_.size(); ++r) {
    ops_[r].storeShared(lid, sums_[r]);
    ops.push_back(&ops_[r]);
  }
  return ops;
}

void GroupSums::combineRuns(const Operand& lid, const Operand& log_lanes) {
  reduceRuns(scope_->code(), stored(lid), lid, log_lanes);
}

void GroupSums::combineRuns(std::vector<GroupSums>& sums, const Operand& lid,
                            const Operand& log_lanes) {
  std::vector<Combiner*> ops;
  for (GroupSums& each : sums) {
    for (Combiner* op : each.stored(lid)) ops.push_back(op);
  }
  reduceRuns(sums.front().scope_->code(), ops, lid, log_lanes);
}

void GroupSums::combineColumns(const Operand& lid, const Operand& row, const Operand& rows,
                               const Operand& columns) {
  reduceColumns(scope_->code(), stored(lid), lid, row, rows, columns);
}

void GroupSums::combineColumns(std::vector<GroupSums>& sums, const Operand& lid, const Operand& row,
                               const Operand& rows, const Operand& columns) {
  std::vector<Combiner*> ops;
  for (GroupSums& each : sums) {
    for (Combiner* op : each.stored(lid)) ops.push_back(op);
  }
  reduceColumns(sums.front().scope_->code(), ops, lid, row, rows, columns);
}

Operands GroupSums::values() const {
  Operands all;
  for (const std::vector<VarId>& sum : sums_) {
    for (VarId var : sum) all.emplace_back(var);
  }
  return all;
}

Operands GroupSums::totals(const Operand& lid) {
  Operands all;
  for (Combiner& op : ops_) {
    const Operands values = op.loadShared(lid);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

}  // namespace halo::gpu
