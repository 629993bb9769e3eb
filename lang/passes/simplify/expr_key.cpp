// Hashes mix operands and operations alone: expressions with bodies are compared when these agree.
#include "lang/passes/simplify/expr_key.h"

#include <algorithm>

#include "lang/core/visit.h"

namespace halo::passes {

using core::Expr;
using core::Operand;

namespace {

bool isCommutative(prim::Op op) {
  switch (op) {
    case prim::Op::kAdd:
    case prim::Op::kMul:
    case prim::Op::kAnd:
    case prim::Op::kOr:
    case prim::Op::kXor:
    case prim::Op::kEq:
    case prim::Op::kNe:
    case prim::Op::kMulHi:
      return true;
    default:
      return false;
  }
}

bool mayExchange(const core::PrimOp& op, bool keeps_derivatives) {
  const bool has_order = keeps_derivatives && op.type == prim::ScalarType::kBool;
  return op.args.size() == 2 && isCommutative(op.op) && !has_order;
}

size_t partOf(const Operand& o) {
  return o.isConstant() ? o.constant.bits * 16 + static_cast<size_t>(o.constant.type) + 1
                        : o.value.index;
}

}  // namespace

size_t HashExchanged::operator()(const Expr* expr) const {
  size_t hash = expr->index();
  const auto add = [&](size_t part) { hash = hash * 0x9e3779b97f4a7c15u + part + (hash >> 29); };
  const auto* op = std::get_if<core::PrimOp>(expr);
  if (op != nullptr) add(static_cast<size_t>(op->op) * 16 + static_cast<size_t>(op->type));
  if (op != nullptr && mayExchange(*op, keeps_derivatives)) {
    const auto [low, high] = std::minmax({partOf(op->args[0]), partOf(op->args[1])});
    add(low);
    add(high);
  } else {
    core::visitUses(*expr, [&](const auto& use) { add(partOf(Operand(use))); });
  }
  return hash;
}

bool EqualExchanged::operator()(const Expr* one, const Expr* other) const {
  if (*one == *other) return true;
  const auto* a = std::get_if<core::PrimOp>(one);
  const auto* b = std::get_if<core::PrimOp>(other);
  return a != nullptr && b != nullptr && a->op == b->op && a->type == b->type &&
         a->loose == b->loose && mayExchange(*a, keeps_derivatives) && b->args.size() == 2 &&
         a->args[0] == b->args[1] && a->args[1] == b->args[0];
}

}  // namespace halo::passes
