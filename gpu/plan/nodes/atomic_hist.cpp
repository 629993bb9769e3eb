// One primitive of both parameters.
#include "gpu/plan/nodes/atomic_hist.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

bool isNumber(const Type& type, int bytes) {
  return type.isScalar() && prim::isInteger(type.scalar) && prim::byteSize(type.scalar) == bytes;
}

std::optional<Op> commutativePrimitive(const Lambda& op) {
  if (op.body.stms.size() != 1) return std::nullopt;
  const Stm& stm = op.body.stms[0];
  const auto* prim = std::get_if<PrimOp>(&stm.expr);
  if (prim == nullptr || op.body.results[0] != Operand(stm.results[0])) return std::nullopt;
  bool of_both = prim->args.size() == 2 && prim->args[0] != prim->args[1];
  for (const Operand& arg : prim->args) {
    of_both = of_both && (arg == Operand(op.params[0]) || arg == Operand(op.params[1]));
  }
  if (!of_both) return std::nullopt;
  switch (prim->op) {
    case Op::kAdd:
    case Op::kMin:
    case Op::kMax:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
      return prim->op;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Op> atomicOperator(const Program& program, const HistOp& operation) {
  if (operation.destinations.size() != 1) return std::nullopt;
  return atomicOperator(program, operation.op);
}

std::optional<Op> atomicOperator(const Program& program, const Lambda& op) {
  const bool is_number = op.params.size() == 2 && isNumber(program.type(op.params[0]), 4);
  return is_number ? commutativePrimitive(op) : std::nullopt;
}

std::optional<Op> memoryAtomicOperator(const Program& program, const HistOp& operation) {
  const Lambda& op = operation.op;
  if (operation.destinations.size() != 1 || op.params.size() != 2) return std::nullopt;
  const Type& type = program.type(op.params[0]);
  const bool is_bool = type == Type{ScalarType::kBool, {}};
  const bool is_possible = isNumber(type, 4) || isNumber(type, 8) || is_bool;
  const std::optional<Op> found = is_possible ? commutativePrimitive(op) : std::nullopt;
  const bool decides = found == Op::kOr || found == Op::kAnd;
  return is_bool && !decides ? std::nullopt : found;
}

}  // namespace halo::gpu
