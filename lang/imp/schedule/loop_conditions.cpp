// The conditions of one loop, found from its branches backwards through selections and operations
// on bools.
#include "lang/imp/schedule/loop_conditions.h"

#include "lang/imp/walk.h"
#include "lang/prim/mirrored.h"

namespace halo::imp {

using prim::Op;

namespace {

bool isComparison(Op op) {
  return op == Op::kLt || op == Op::kLe || op == Op::kGt || op == Op::kGe || op == Op::kEq ||
         op == Op::kNe;
}

bool isCheck(const If& branch) {
  return branch.then_block.size() == 1 && std::holds_alternative<Fail>(branch.then_block[0].node);
}

}  // namespace

std::optional<bool> decided(Op op, const Relation& r) {
  auto decide = [&](bool less, bool equal, bool greater) -> std::optional<bool> {
    const bool yes = (r.less && less) || (r.equal && equal) || (r.greater && greater);
    const bool no = (r.less && !less) || (r.equal && !equal) || (r.greater && !greater);
    if (yes == no) return std::nullopt;
    return yes;
  };
  switch (op) {
    case Op::kLt:
      return decide(true, false, false);
    case Op::kLe:
      return decide(true, true, false);
    case Op::kGt:
      return decide(false, false, true);
    case Op::kGe:
      return decide(false, true, true);
    case Op::kEq:
      return decide(false, true, false);
    case Op::kNe:
      return decide(true, false, true);
    default:
      return std::nullopt;
  }
}

LoopConditions::LoopConditions(const Program& program, const For& loop, int64_t most_shift)
    : program_(program), loop_(loop), most_shift_(most_shift) {
  forEachStm(loop.body, [&](const Stm& stm) {
    if (const auto* let = std::get_if<Let>(&stm.node)) lets_[let->var] = &let->expr;
    if (const auto* inner = std::get_if<For>(&stm.node)) inner_.insert(inner->var);
  });
  for (bool checks : {false, true}) {
    forEachStm(loop.body, [&](const Stm& stm) {
      const auto* branch = std::get_if<If>(&stm.node);
      if (branch != nullptr && isCheck(*branch) == checks) collect(branch->condition);
    });
  }
}

std::vector<std::pair<VarId, Op>> LoopConditions::withSameOperands(
    const IndexComparison& comparison) const {
  std::vector<std::pair<VarId, Op>> found;
  for (const auto& [var, expr] : lets_) {
    std::optional<IndexComparison> other = asComparison(*expr);
    if (other && other->shift == comparison.shift && other->bound == comparison.bound) {
      found.emplace_back(var, other->op);
    }
  }
  return found;
}

void LoopConditions::collect(const Operand& condition) {
  if (condition.isConstant()) return;
  auto made = lets_.find(condition.var);
  if (made == lets_.end()) {
    if (!invariant_ && isInvariant(condition)) invariant_ = condition.var;
    return;
  }
  if (const auto* select = std::get_if<Select>(made->second)) {
    collect(select->condition), collect(select->on_true), collect(select->on_false);
  }
  const auto* prim = std::get_if<Prim>(made->second);
  if (prim == nullptr) return;
  if (prim->type == ScalarType::kBool) {
    for (const Operand& arg : prim->args) collect(arg);
  } else if (!comparison_) {
    comparison_ = asComparison(*prim);
  }
}

std::optional<IndexComparison> LoopConditions::asComparison(const Expr& expr) const {
  const auto* prim = std::get_if<Prim>(&expr);
  const bool compares = prim != nullptr && prim->type == ScalarType::kI64 && isComparison(prim->op);
  if (!compares) return std::nullopt;
  const Operand &left = prim->args[0], &right = prim->args[1];
  if (auto shift = shiftOf(left); shift && isInvariant(right)) return {{prim->op, *shift, right}};
  if (auto shift = shiftOf(right); shift && isInvariant(left)) {
    return {{prim::mirrored(prim->op), *shift, left}};
  }
  return std::nullopt;
}

// Of the index plus a small constant.
std::optional<int64_t> LoopConditions::shiftOf(const Operand& operand) const {
  if (operand.isConstant()) return std::nullopt;
  if (operand.var == loop_.var) return 0;
  auto made = lets_.find(operand.var);
  const auto* prim = made == lets_.end() ? nullptr : std::get_if<Prim>(made->second);
  if (prim == nullptr || prim->type != ScalarType::kI64) return std::nullopt;
  if (prim->op != Op::kAdd && prim->op != Op::kSub) return std::nullopt;
  Operand index = prim->args[0], other = prim->args[1];
  if (prim->op == Op::kAdd && index.isConstant()) std::swap(index, other);
  if (index != Operand(loop_.var) || !other.isConstant()) return std::nullopt;
  const int64_t shift = other.constant.asSigned();
  if (shift < -kMaxShift || shift > kMaxShift) return std::nullopt;
  const int64_t by = prim->op == Op::kAdd ? shift : -shift;
  return by <= most_shift_ ? std::optional(by) : std::nullopt;
}

bool LoopConditions::isInvariant(const Operand& operand) const {
  if (operand.isConstant()) return true;
  return operand.var != loop_.var && !lets_.contains(operand.var) &&
         !inner_.contains(operand.var) && !program_.vars[operand.var].is_mutable;
}

}  // namespace halo::imp
