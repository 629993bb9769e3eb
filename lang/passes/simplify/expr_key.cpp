// Hashes mix operands and operations alone: expressions with bodies are compared when these agree.
#include "lang/passes/simplify/expr_key.h"

#include "lang/core/visit.h"

namespace halo::passes {

using core::Expr;
using core::Operand;

size_t HashExprKey::operator()(const ExprKey& key) const {
  size_t hash = key.expr.index();
  auto add = [&](size_t part) { hash = hash * 0x9e3779b97f4a7c15u + part + (hash >> 29); };
  core::visitUses(key.expr, [&](const auto& use) {
    Operand o(use);
    add(o.isConstant() ? o.constant.bits * 16 + static_cast<size_t>(o.constant.type) + 1
                       : o.value.index);
  });
  if (const auto* op = std::get_if<core::PrimOp>(&key.expr)) {
    add(static_cast<size_t>(op->op) * 16 + static_cast<size_t>(op->type));
  }
  return hash;
}

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

}  // namespace

Expr canonical(const Expr& expr, bool keeps_derivatives) {
  const auto* op = std::get_if<core::PrimOp>(&expr);
  if (op == nullptr || op->args.size() != 2 || !isCommutative(op->op)) return expr;
  if (keeps_derivatives && op->type == prim::ScalarType::kBool) return expr;
  auto rank = [](const Operand& o) {
    return std::pair(o.isConstant(), o.isConstant() ? o.constant.bits : o.value.index);
  };
  core::PrimOp ordered = *op;
  if (rank(ordered.args[1]) < rank(ordered.args[0])) std::swap(ordered.args[0], ordered.args[1]);
  return ordered;
}

}  // namespace halo::passes
