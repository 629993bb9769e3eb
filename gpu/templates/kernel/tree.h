// Combining one value of each invocation of a workgroup, in the order of the invocations.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

inline constexpr int64_t kGroup = 256;  // invocations of a workgroup in reduce and scan

// A tuple operator with its neutral element and its values in flight. Values live in declared
// variables, so that they outlast the barriers between the steps (raise.h, keepBarriersUniform).
class Combiner {
 public:
  Combiner(KernelScope& scope, const core::Lambda& op, const core::Operands& neutral);
  // The operator and its neutral element may mention names of `environment`.
  Combiner(KernelScope& scope, imp::Environment environment, const core::Lambda& op,
           const core::Operands& neutral);

  size_t arity() const { return neutral_.size(); }
  const std::vector<prim::ScalarType>& types() const { return types_; }
  const imp::Operands& neutral() const { return neutral_; }

  // op(left, right), of values without the component of restart().
  imp::Operands apply(const imp::Operands& left, const imp::Operands& right);

  // From now on values have a last component more, a u32 that is 1 where a segment begins at or
  // before them. Values left of a beginning do not count.
  void restart();

  // Fresh variables holding the neutral element.
  std::vector<imp::VarId> declareNeutral(const std::string& name);
  // vars := op(vars, values), or op(values, vars).
  void combineInto(const std::vector<imp::VarId>& vars, const imp::Operands& left,
                   const imp::Operands& right);

  // Shared memory for one value of each invocation; made once.
  void storeShared(const imp::Operand& lid, const std::vector<imp::VarId>& vars);
  imp::Operands loadShared(const imp::Operand& at);

  // A step of reduceRuns: shared[lid] := op(shared[lid], shared[lid + stride]).
  void addShared(const imp::Operand& lid, const imp::Operand& stride);
  // A step of scanShared: fresh variables holding op(shared[lid - distance], shared[lid]).
  std::vector<imp::VarId> scanStep(const imp::Operand& lid, const imp::Operand& distance);

 private:
  KernelScope& scope_;
  imp::Environment environment_;
  const core::Lambda& op_;
  size_t operands_ = 0;  // of the operator
  imp::Operands neutral_;
  std::vector<prim::ScalarType> types_;
  std::vector<imp::BufferId> shared_;
};

// The invocations in runs of 2^log_lanes: shared[first of a run] := the run's values from left to
// right, those of each operator. All of them share the barriers.
void reduceRuns(imp::Builder& code, const std::vector<Combiner*>& ops, const imp::Operand& lid,
                const imp::Operand& log_lanes);

// The invocations in rows of so many columns, number row * columns + column: shared[column] := the
// values of its rows, in any order.
void reduceColumns(imp::Builder& code, const std::vector<Combiner*>& ops, const imp::Operand& lid,
                   const imp::Operand& row, const imp::Operand& rows, const imp::Operand& columns);

// shared[i] := values 0..i, those of each operator. All of them share the barriers.
void scanShared(imp::Builder& code, std::vector<Combiner>& ops, const imp::Operand& lid);

imp::Operands asOperands(const std::vector<imp::VarId>& vars);

}  // namespace halo::gpu
