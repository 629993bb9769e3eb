// A list by node kind and primitive.
#include "lang/passes/bounds/speculate.h"

namespace halo::passes {
namespace {

bool dividesByUnknown(const core::PrimOp& op) {
  switch (op.op) {
    case prim::Op::kDiv:
    case prim::Op::kMod:
    case prim::Op::kQuot:
    case prim::Op::kRem:
    case prim::Op::kMachineDiv:
    case prim::Op::kMachineRem:
      return prim::isInteger(op.type) &&
             (!op.args[1].isConstant() || op.args[1].constant.bits == 0);
    case prim::Op::kPow:
      return prim::isInteger(op.type) && !op.args[1].isConstant();
    default:
      return false;
  }
}

}  // namespace

bool isTotalScalar(const core::Expr& expr) {
  if (const auto* op = std::get_if<core::PrimOp>(&expr)) return !dividesByUnknown(*op);
  return std::holds_alternative<core::Literal>(expr) ||
         std::holds_alternative<core::Convert>(expr) || std::holds_alternative<core::Select>(expr);
}

}  // namespace halo::passes
