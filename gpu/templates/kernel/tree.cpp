// Trees over shared memory. The shape of the tree is fixed, so are the bits of float results.
#include "gpu/templates/kernel/tree.h"

#include <bit>

namespace halo::gpu {

using namespace imp;
using prim::Op;

Operands asOperands(const std::vector<VarId>& vars) { return {vars.begin(), vars.end()}; }

Combiner::Combiner(KernelScope& scope, const core::Lambda& op, const core::Operands& neutral)
    : Combiner(scope, scope.environment(), op, neutral) {}

Combiner::Combiner(KernelScope& scope, Environment environment, const core::Lambda& op,
                   const core::Operands& neutral)
    : scope_(scope), environment_(std::move(environment)), op_(op) {
  for (const core::Operand& operand : neutral) {
    neutral_.push_back(operandOf(environment_, operand));
    types_.push_back(scope.core().type(operand).scalar);
  }
  operands_ = neutral_.size();
}

void Combiner::restart() {
  neutral_.push_back(prim::zero(ScalarType::kU32));
  types_.push_back(ScalarType::kU32);
}

std::vector<VarId> Combiner::declareNeutral(const std::string& name) {
  std::vector<VarId> vars;
  for (size_t k = 0; k < arity(); ++k) {
    vars.push_back(scope_.code().declare(name, types_[k], neutral_[k]));
  }
  return vars;
}

void Combiner::combineInto(const std::vector<VarId>& vars, const Operands& left,
                           const Operands& right) {
  if (arity() == operands_) return assignAll(scope_.code(), vars, apply(left, right));
  Builder& code = scope_.code();
  Operand begins =
      code.prim(Op::kNe, ScalarType::kU32, {right.back(), prim::zero(ScalarType::kU32)});
  code.ifThenElse(
      begins, [&] { assignAll(code, vars, right); },
      [&] {
        Operands values = apply(left, right);
        values.push_back(left.back());
        assignAll(code, vars, values);
      });
}

Operands Combiner::apply(const Operands& left, const Operands& right) {
  Environment environment = environment_;
  for (size_t k = 0; k < operands_; ++k) {
    environment.scalars[op_.params[k]] = left[k];
    environment.scalars[op_.params[operands_ + k]] = right[k];
  }
  LoweringTarget target = scope_.place(Operand::ofI64(1), [] { return Operand::ofI64(0); });
  Results values = lowerBody(scope_.code(), scope_.core(), op_.body, environment, target);
  return values.scalars;
}

void Combiner::storeShared(const Operand& lid, const std::vector<VarId>& vars) {
  for (size_t k = 0; k < arity(); ++k) {
    if (shared_.size() <= k) shared_.push_back(scope_.shared("part", types_[k], kGroup));
    scope_.code().store(shared_[k], lid, vars[k]);
  }
}

Operands Combiner::loadShared(const Operand& at) {
  Operands values;
  for (size_t k = 0; k < arity(); ++k) values.push_back(scope_.code().load(shared_[k], at));
  return values;
}

void Combiner::addShared(const Operand& lid, const Operand& stride) {
  std::vector<VarId> sum = declareNeutral("sum");
  Operands left = loadShared(lid);
  combineInto(sum, left, loadShared(scope_.code().add(lid, stride)));
  storeShared(lid, sum);
}

void reduceRuns(Builder& code, const std::vector<Combiner*>& ops, const Operand& lid,
                const Operand& log_lanes) {
  code.append(Barrier{});
  code.forLoop("level", Operand::ofI64(0), log_lanes, [&](const Operand& level) {
    Operand stride = code.prim(Op::kMachineShl, ScalarType::kI64, {Operand::ofI64(1), level});
    Operand mask = code.sub(code.add(stride, stride), Operand::ofI64(1));
    Operand low = code.prim(Op::kAnd, ScalarType::kI64, {lid, mask});
    Operand mine = code.prim(Op::kEq, ScalarType::kI64, {low, Operand::ofI64(0)});
    code.ifThenElse(mine, [&] {
      for (Combiner* op : ops) op->addShared(lid, stride);
    });
    code.append(Barrier{});
  });
}

void reduceColumns(Builder& code, const std::vector<Combiner*>& ops, const Operand& lid,
                   const Operand& row, const Operand& rows, const Operand& columns) {
  code.append(Barrier{});
  for (int64_t distance = kGroup / 2; distance > 0; distance /= 2) {
    const Operand is_upper = code.prim(Op::kLt, ScalarType::kI64, {row, i64(distance)});
    const Operand has_lower =
        code.prim(Op::kLt, ScalarType::kI64, {code.add(row, i64(distance)), rows});
    const Operand mine = code.prim(Op::kAnd, ScalarType::kBool, {is_upper, has_lower});
    code.ifThenElse(mine, [&] {
      for (Combiner* op : ops) op->addShared(lid, code.mul(columns, i64(distance)));
    });
    code.append(Barrier{});
  }
}

std::vector<VarId> Combiner::scanStep(const Operand& lid, const Operand& distance) {
  Builder& code = scope_.code();
  std::vector<VarId> sum = declareNeutral("sum");
  Operand far = code.prim(Op::kGe, ScalarType::kI64, {lid, distance});
  code.ifThenElse(
      far,
      [&] {
        Operands left = loadShared(code.sub(lid, distance));
        combineInto(sum, left, loadShared(lid));
      },
      [&] { assignAll(code, sum, loadShared(lid)); });
  return sum;
}

void scanShared(Builder& code, std::vector<Combiner>& ops, const Operand& lid) {
  // Drivers take minutes for all steps of many components one after the other.
  constexpr size_t kFewComponents = 6;
  size_t components = 0;
  for (const Combiner& op : ops) components += op.arity();
  const auto step = [&](const Operand& distance) {
    std::vector<std::vector<VarId>> sums;
    for (Combiner& op : ops) sums.push_back(op.scanStep(lid, distance));
    code.append(Barrier{});
    for (size_t s = 0; s < ops.size(); ++s) ops[s].storeShared(lid, sums[s]);
    code.append(Barrier{});
  };
  code.append(Barrier{});
  if (components <= kFewComponents) {
    for (int64_t distance = 1; distance < kGroup; distance *= 2) step(Operand::ofI64(distance));
    return;
  }
  const auto levels = static_cast<int64_t>(std::countr_zero(static_cast<uint64_t>(kGroup)));
  code.forLoop("level", Operand::ofI64(0), Operand::ofI64(levels), [&](const Operand& level) {
    step(code.prim(Op::kMachineShl, ScalarType::kI64, {Operand::ofI64(1), level}));
  });
}

}  // namespace halo::gpu
