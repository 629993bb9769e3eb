#include "lang/ad/extents.h"

#include <algorithm>

#include "lang/core/visit.h"

namespace halo::ad {

Extents::Extents(Program& program, const Body& step, IsOutside is_outside, Insert insert)
    : program_(program), is_outside_(std::move(is_outside)), insert_(std::move(insert)) {
  core::visitStms(step, [&](const Stm& stm) {
    if (const auto* op = std::get_if<core::PrimOp>(&stm.expr)) operations_[stm.results[0]] = *op;
  });
}

bool Extents::isKnown(const Operand& bound, const std::vector<ValueId>& indices) const {
  std::vector<ValueId> all = indices;
  for (const auto& [index, steps] : steps_) all.push_back(index);
  return isLargestAtEnds(bound, all, false);
}

bool Extents::isLargestAtEnds(const Operand& operand, const std::vector<ValueId>& indices,
                              bool is_linear) const {
  if (isAround(operand)) return true;
  if (std::find(indices.begin(), indices.end(), operand.value) != indices.end()) return true;
  const auto found = operations_.find(operand.value);
  if (found == operations_.end()) return false;
  const Operands& args = found->second.args;
  const auto is = [&](size_t i, bool linear) { return isLargestAtEnds(args[i], indices, linear); };
  switch (found->second.op) {
    case Op::kAdd:
      return is(0, is_linear) && is(1, is_linear);
    case Op::kSub:
      return is(0, is_linear) && is(1, true);
    case Op::kMul:
      return (isAround(args[0]) && is(1, true)) || (isAround(args[1]) && is(0, true));
    case Op::kMax:
      return !is_linear && is(0, false) && is(1, false);
    default:
      return false;
  }
}

Operand Extents::most(const core::ForLoop& form) {
  const Operand steps = mostOf(form.bound);
  know(form.index, steps);
  return steps;
}

Operand Extents::mostOf(const Operand& bound) {
  const Operand zero = Operand::ofI64(0);
  if (bound.isConstant()) return Operand::ofI64(std::max<int64_t>(bound.constant.asSigned(), 0));
  if (const auto known = known_.find(bound.value); known != known_.end()) return known->second;
  std::vector<ValueId> indices;
  collect(bound, indices);
  Emitter e(program_);
  Operand most = zero;
  for (size_t ends = 0; ends < size_t{1} << indices.size(); ++ends) {
    Names names;
    for (size_t i = 0; i < indices.size(); ++i) {
      const bool is_last = (ends >> i & 1) != 0;
      names[indices[i]] = is_last ? e.sub(steps_.at(indices[i]), kOne) : zero;
    }
    const Operand value = valueAt(e, bound, names);
    most = Operand(e.bind("steps", {}, core::PrimOp{Op::kMax, ScalarType::kI64, {value, most}}));
  }
  for (Stm& stm : e.take({}).stms) insert_(std::move(stm));
  return known_[bound.value] = most;
}

void Extents::collect(const Operand& operand, std::vector<ValueId>& indices) const {
  if (isAround(operand)) return;
  if (const auto found = operations_.find(operand.value); found != operations_.end()) {
    for (const Operand& arg : found->second.args) collect(arg, indices);
  } else if (std::find(indices.begin(), indices.end(), operand.value) == indices.end()) {
    indices.push_back(operand.value);
  }
}

Operand Extents::valueAt(Emitter& e, const Operand& operand, const Names& names) const {
  if (isAround(operand)) return operand;
  if (const auto known = names.find(operand.value); known != names.end()) return known->second;
  const core::PrimOp& op = operations_.at(operand.value);
  Operands args;
  for (const Operand& arg : op.args) args.push_back(valueAt(e, arg, names));
  return e.prim(op.op, op.type, std::move(args));
}

}  // namespace halo::ad
