#include "lang/passes/bounds/small_sizes.h"

#include <algorithm>
#include <iterator>

namespace halo::passes {

using core::Operand;
using core::ValueId;
using prim::Op;

namespace {

constexpr int64_t kMaxFactor = 4, kMaxConstant = 4096;

bool isQuotient(Op op) {
  return op == Op::kDiv || op == Op::kMachineDiv || op == Op::kShr || op == Op::kMachineShr;
}

bool isFactor(const Operand& operand) {
  return operand.isConstant() && operand.constant.asSigned() >= 0 &&
         operand.constant.asSigned() <= kMaxFactor;
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
      operations_[stm.results[0]] = {Op::kMul, op->args[1], op->args[0]};
    }
  }
}

bool SmallSizes::isSmall(const Operand& size, const std::unordered_set<ValueId>& sizes) const {
  const auto factor = factorOf(size, sizes, kDepth);
  return factor && *factor <= kMaxFactor;
}

std::optional<int64_t> SmallSizes::factorOf(const Operand& size,
                                            const std::unordered_set<ValueId>& sizes,
                                            int depth) const {
  if (size.isConstant() && size.constant.asSigned() > kMaxConstant) return std::nullopt;
  if (size.isConstant()) return 1;
  if (sizes.contains(size.value)) return 1;
  const auto found = operations_.find(size.value);
  if (depth == 0 || found == operations_.end()) return std::nullopt;
  const auto& [op, a, b] = found->second;
  const auto left = factorOf(a, sizes, depth - 1);
  if (isQuotient(op)) {
    if (!left || !b.isConstant() || b.constant.asSigned() < 0) return std::nullopt;
    const bool is_division = op == Op::kDiv || op == Op::kMachineDiv;
    const int64_t divisor = is_division ? std::max<int64_t>(b.constant.asSigned(), 1) : 1;
    return (*left + divisor - 1) / divisor;
  }
  if (op == Op::kMul) return left ? std::optional(*left * b.constant.asSigned()) : std::nullopt;
  const auto right = factorOf(b, sizes, depth - 1);
  if (op == Op::kMin && (!left || !right)) return left ? left : right;
  if (!left || !right) return std::nullopt;
  if (op == Op::kMin) return std::min(*left, *right);
  return op == Op::kAdd ? *left + *right : std::max(*left, *right);
}

}  // namespace halo::passes
