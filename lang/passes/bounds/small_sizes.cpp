#include "lang/passes/bounds/small_sizes.h"

#include <algorithm>
#include <iterator>

namespace halo::passes {

using core::Operand;
using prim::Op;

namespace {

constexpr int64_t kMaxFactor = 4, kMaxConstant = 4096;

bool isQuotient(Op op) {
  return op == Op::kDiv || op == Op::kMachineDiv || op == Op::kShr || op == Op::kMachineShr;
}

bool isFactor(const Operand& operand) {
  return operand.isConstant() && operand.constant.asSigned() <= kMaxFactor;
}

}  // namespace

void SmallSizes::note(const core::Stm& stm) {
  if (const auto* select = std::get_if<core::Select>(&stm.expr)) {
    operations_[stm.results[0]] = {Op::kMax, select->on_true, select->on_false};
  } else if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
    if (match->cases.size() != 1) return;
    for (size_t k = 0; k < stm.results.size(); ++k) {
      operations_[stm.results[k]] = {Op::kMax, match->cases[0].body.results[k],
                                     match->otherwise.results[k]};
    }
  } else if (const auto* op = std::get_if<core::PrimOp>(&stm.expr)) {
    if (op->type != prim::ScalarType::kI64) return;
    const bool is_sum = op->op == Op::kMin || op->op == Op::kMax || op->op == Op::kAdd;
    if (is_sum || isQuotient(op->op)) {
      operations_[stm.results[0]] = {op->op, op->args[0], op->args[1]};
    } else if (op->op == Op::kMul && isFactor(op->args[0])) {
      operations_[stm.results[0]] = {Op::kMax, op->args[1], op->args[1]};
    }
  }
}

bool SmallSizes::isSmall(const Operand& size, const std::unordered_set<core::ValueId>& sizes,
                         int depth) const {
  if (size.isConstant()) return size.constant.asSigned() <= kMaxConstant;
  if (sizes.contains(size.value)) return true;
  const auto found = operations_.find(size.value);
  if (depth == 0 || found == operations_.end()) return false;
  const auto& [op, a, b] = found->second;
  const bool a_is = isSmall(a, sizes, depth - 1);
  if (isQuotient(op)) return a_is && b.isConstant() && b.constant.asSigned() >= 0;
  if (op == Op::kMin && a_is) return true;
  return (a_is || op == Op::kMin) && isSmall(b, sizes, depth - 1);
}

}  // namespace halo::passes
