#include "lang/ad/sums/step_places.h"

namespace halo::ad {

namespace {

bool isLast(const Operand& value, const Operand& steps, const Arithmetic& arithmetic) {
  if (value.isConstant()) {
    return steps.isConstant() && value == Operand::ofI64(steps.constant.asSigned() - 1);
  }
  const core::PrimOp* op = arithmetic(value);
  return op != nullptr && op->op == Op::kSub && op->args == Operands{steps, kOne};
}

}  // namespace

std::optional<StepOrder> stepOrder(const Operand& place, ValueId step, const Operand& steps,
                                   const Arithmetic& arithmetic) {
  if (place == Operand(step)) return StepOrder::kForward;
  if (place.isConstant()) return std::nullopt;
  const core::PrimOp* op = arithmetic(place);
  const bool is_backward = op != nullptr && op->op == Op::kSub && op->args[1] == Operand(step) &&
                           isLast(op->args[0], steps, arithmetic);
  return is_backward ? std::optional(StepOrder::kBackward) : std::nullopt;
}

}  // namespace halo::ad
