// A sum over and over.
#include "lang/passes/fuse/row_costs.h"

#include <algorithm>

namespace halo::passes {
namespace {

constexpr size_t kDivision = 8;  // operations that a division or a root costs

}  // namespace

size_t CodeCost::of(const core::Body& body) {
  size_t cost = 0;
  for (const core::Stm& stm : body.stms) cost += of(stm);
  return cost;
}

// Of unknown length: taken for long.
size_t CodeCost::ofNode(const core::Screma& node) {
  if (!node.width.isConstant()) return kDear;
  size_t cost = 1 + of(node.map.body);
  for (const core::Reduction& reduction : node.reductions) cost += of(reduction.op.body);
  const int64_t width = std::max<int64_t>(node.width.constant.asSigned(), 0);
  return width > static_cast<int64_t>(kDear) ? kDear : static_cast<size_t>(width) * cost;
}

size_t CodeCost::ofMatch(const core::Match& match) {
  size_t least = of(match.otherwise);
  if (!match.scrutinee.isConstant() && rare_.contains(match.scrutinee.value)) return least + 1;
  for (const core::Case& arm : match.cases) least = std::min(least, of(arm.body));
  return least + 1;
}

size_t CodeCost::of(const core::Stm& stm) {
  if (const auto* match = std::get_if<core::Match>(&stm.expr)) return ofMatch(*match);
  if (const auto* node = std::get_if<core::Screma>(&stm.expr)) return ofNode(*node);
  const auto* op = std::get_if<core::PrimOp>(&stm.expr);
  if (op == nullptr || !prim::isFloat(op->type)) return 1;
  if (op->op == prim::Op::kEq) rare_.insert(stm.results[0]);
  return op->op == prim::Op::kDiv || op->op == prim::Op::kSqrt ? kDivision : 1;
}

}  // namespace halo::passes
