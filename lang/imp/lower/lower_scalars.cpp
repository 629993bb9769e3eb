// Statements on scalars.
#include "lang/imp/lower/lowering.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

void Lowering::lower(const core::Stm& stm, const core::Literal& node) {
  set(stm.results[0], Operand(node.value));
}

namespace {

// Core has no such constants left, but elements of arrays of one value are known here.
std::optional<Operand> knownCondition(Op op, const Operands& args) {
  if (op == Op::kNot && args[0].isConstant()) {
    return Operand(prim::Scalar::ofBool(!args[0].constant.asBool()));
  }
  if (op != Op::kAnd && op != Op::kOr) return std::nullopt;
  for (size_t k = 0; k < 2; ++k) {
    if (!args[k].isConstant()) continue;
    const bool decides = args[k].constant.asBool() == (op == Op::kOr);
    return decides ? args[k] : args[1 - k];
  }
  return std::nullopt;
}

}  // namespace

void Lowering::lower(const core::Stm& stm, const core::PrimOp& node) {
  ValueId result = stm.results[0];
  if (node.type == ScalarType::kBool) {
    if (auto known = knownCondition(node.op, scalars(node.args))) return set(result, *known);
  }
  bool may_fuse = target_.fuses_products && node.loose &&
                  (node.type == ScalarType::kF32 || node.type == ScalarType::kF64);
  if (may_fuse && node.op == Op::kMul) {
    products_[result] = scalars(node.args);  // emitted all the same: other uses may appear
  } else if (may_fuse && node.op == Op::kAdd) {
    for (size_t k = 2; k-- > 0;) {
      auto product = products_.find(node.args[k].value);
      if (node.args[k].isConstant() || product == products_.end()) continue;
      const Operands& factors = product->second;
      set(result, b_.let(core_.values[result].name, node.type,
                         Fma{node.type, factors[0], factors[1], scalar(node.args[1 - k])}));
      return;
    }
  }
  set(result, b_.let(core_.values[result].name, prim::resultType(node.op, node.type),
                     Prim{node.op, node.type, scalars(node.args)}));
}

void Lowering::lower(const core::Stm& stm, const core::Convert& node) {
  ValueId result = stm.results[0];
  set(result, b_.let(core_.values[result].name, node.to,
                     Convert{node.kind, node.from, node.to, scalar(node.arg)}));
}

void Lowering::lower(const core::Stm& stm, const core::Select& node) {
  ValueId result = stm.results[0];
  const Operand condition = scalar(node.condition);
  if (condition.isConstant()) {
    return set(result, scalar(condition.constant.asBool() ? node.on_true : node.on_false));
  }
  set(result, b_.let(core_.values[result].name, core_.type(result).scalar,
                     Select{condition, scalar(node.on_true), scalar(node.on_false)}));
}

void Lowering::lower(const core::Stm& stm, const core::Assert& node) {
  Operand condition = scalar(node.condition);
  Operand fails = b_.prim(Op::kNot, ScalarType::kBool, {condition});
  Operands operands = scalars(node.operands);
  b_.ifThenElse(fails, [&] { b_.fail(node.code, stm.span, operands); });
}

}  // namespace halo::imp
