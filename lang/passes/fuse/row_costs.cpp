// A sum over and over.
#include "lang/passes/fuse/row_costs.h"

#include <algorithm>

namespace halo::passes {
namespace {

constexpr size_t kDivision = 8;  // operations that a division or a root costs

size_t costOfAll(const core::Body& body) {
  size_t cost = 0;
  for (const core::Stm& stm : body.stms) cost += stmCost(stm);
  return cost;
}

// Of unknown length: taken for long.
size_t costOfNode(const core::Screma& node) {
  if (!node.width.isConstant()) return kDear;
  size_t cost = 1 + costOfAll(node.map.body);
  for (const core::Reduction& reduction : node.reductions) cost += costOfAll(reduction.op.body);
  const int64_t width = std::max<int64_t>(node.width.constant.asSigned(), 0);
  return width > static_cast<int64_t>(kDear) ? kDear : static_cast<size_t>(width) * cost;
}

}  // namespace

// Of a match the cheapest arm: the others may be for rare cases.
size_t stmCost(const core::Stm& stm) {
  if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
    size_t least = costOfAll(match->otherwise);
    for (const core::Case& arm : match->cases) least = std::min(least, costOfAll(arm.body));
    return least + 1;
  }
  if (const auto* node = std::get_if<core::Screma>(&stm.expr)) return costOfNode(*node);
  const auto* op = std::get_if<core::PrimOp>(&stm.expr);
  const bool is_dear = op != nullptr && prim::isFloat(op->type) &&
                       (op->op == prim::Op::kDiv || op->op == prim::Op::kSqrt);
  return is_dear ? kDivision : 1;
}

}  // namespace halo::passes
