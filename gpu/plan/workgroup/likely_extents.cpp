// Scalar code of a step once more, with the middle of its range for each index.
#include "gpu/plan/workgroup/likely_extents.h"

#include "lang/core/bound_values.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {
constexpr int kDepth = 12;  // of the arithmetic that is followed
}  // namespace

LikelyExtents::LikelyExtents(const BoundedExtents& bounded, const Body& bounds, Estimate estimate)
    : bounded_(bounded), bounds_(bounds), estimate_(estimate) {
  for (const Stm& stm : bounded.before.stms) inside_.insert(stm.results.begin(), stm.results.end());
  for (size_t k = 0; k < bounded.before.results.size(); ++k) {
    const Operand& result = bounded.before.results[k];
    if (!result.isConstant()) known_.insert_or_assign(result.value, bounds.results[k]);
  }
  collect(bounded.loop);
}

void LikelyExtents::collect(const Stm& stm) {
  core::addBound(stm, inside_);
  const bool is_code = !stm.checked && (std::holds_alternative<PrimOp>(stm.expr) ||
                                        std::holds_alternative<Select>(stm.expr));
  if (is_code) made_by_[stm.results[0]] = stm.expr;
  const auto* loop = std::get_if<Loop>(&stm.expr);
  const auto* counted = loop == nullptr ? nullptr : std::get_if<ForLoop>(&loop->form);
  if (counted != nullptr) index_[counted->index] = counted->bound;
  visitBodies(stm.expr, [&](const Body& body) {
    for (const Stm& inner : body.stms) collect(inner);
  });
}

std::optional<Operand> LikelyExtents::boundOf(const Operand& operand) const {
  const std::optional<size_t> number = bounded_.boundOf(operand);
  return number ? std::optional(bounds_.results[*number]) : std::nullopt;
}

Operand LikelyExtents::of(Builder& host, const Operand& extent) {
  const std::optional<Operand> bound = boundOf(extent);
  const bool is_outside = extent.isConstant() || !inside_.contains(extent.value);
  if (is_outside || estimate_ == Estimate::kBound) return bound.value_or(extent);
  const std::optional<Operand> found = middle(host, extent, kDepth);
  if (!found) return bound.value_or(extent);
  const Operand below = bound ? host.prim(Op::kMin, ScalarType::kI64, {*found, *bound}) : *found;
  return host.prim(Op::kMax, ScalarType::kI64, {below, Operand::ofI64(0)});
}

std::optional<Operand> LikelyExtents::middle(Builder& host, const Operand& operand, int depth) {
  if (operand.isConstant()) return operand;
  const auto known = known_.find(operand.value);
  if (known != known_.end()) return known->second;
  if (!inside_.contains(operand.value)) return operand;
  if (depth == 0) return std::nullopt;
  std::optional<Operand> found;
  const auto index = index_.find(operand.value);
  const auto made_by = made_by_.find(operand.value);
  if (index != index_.end()) {
    if (const auto bound = middle(host, index->second, depth - 1)) {
      found = host.prim(Op::kMachineShr, ScalarType::kI64, {*bound, Operand::ofI64(1)});
    }
  } else if (made_by != made_by_.end()) {
    if (const auto* prim = std::get_if<PrimOp>(&made_by->second)) {
      found = made(host, *prim, depth - 1);
    } else {
      const auto& select = std::get<Select>(made_by->second);
      const auto a = middle(host, select.on_true, depth - 1);
      const auto b = middle(host, select.on_false, depth - 1);
      if (a && b) found = *a == *b ? *a : host.prim(Op::kMax, ScalarType::kI64, {*a, *b});
    }
  }
  if (found) known_.insert_or_assign(operand.value, *found);
  return found;
}

// The middle of other code says nothing of its sum over all iterations.
bool LikelyExtents::isLinear(const PrimOp& prim) const {
  const auto is_outside = [&](const Operand& o) {
    return o.isConstant() || !inside_.contains(o.value);
  };
  switch (prim.op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMin:
    case Op::kMax:
      return true;
    case Op::kMul:
      return is_outside(prim.args[0]) || is_outside(prim.args[1]);
    case Op::kMachineShr:
    case Op::kMachineDiv:
    case Op::kQuot:
    case Op::kDiv:
      return prim.args[1].isConstant();
    default:
      return false;
  }
}

std::optional<Operand> LikelyExtents::made(Builder& host, const PrimOp& prim, int depth) {
  if (prim.type != ScalarType::kI64 || !isLinear(prim)) return std::nullopt;
  Operands args;
  for (const Operand& arg : prim.args) {
    const std::optional<Operand> there = middle(host, arg, depth);
    if (there) args.push_back(*there);
  }
  if (args.size() == prim.args.size()) return host.prim(prim.op, ScalarType::kI64, args);
  return prim.op == Op::kMin && !args.empty() ? std::optional(args[0]) : std::nullopt;
}

}  // namespace halo::gpu
