// A value is a size where a type, a node's extent or an index space mentions it.
#include "gpu/plan/host_code.h"

#include <algorithm>

#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

bool mentions(const Operands& operands, ValueId value) {
  return std::find(operands.begin(), operands.end(), Operand(value)) != operands.end();
}

}  // namespace

bool isSizeIn(const Program& program, const Body& body, ValueId value) {
  return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
    bool plain =
        std::holds_alternative<PrimOp>(stm.expr) || std::holds_alternative<Convert>(stm.expr) ||
        std::holds_alternative<Select>(stm.expr) || std::holds_alternative<Index>(stm.expr) ||
        std::holds_alternative<Assert>(stm.expr) ||
        std::holds_alternative<ArrayLiteral>(stm.expr) || std::holds_alternative<Update>(stm.expr);
    bool found = false;
    if (!plain) {
      forEachOperand(stm.expr, [&](const Operand& operand) { found |= operand == Operand(value); });
    }
    auto look = [&](ValueId bound) { found |= mentions(program.type(bound).shape, value); };
    for (ValueId result : stm.results) look(result);
    for (ValueId bound : boundIn(stm.expr)) look(bound);
    forEachBody(stm.expr,
                [&](const Body& inner) { found = found || isSizeIn(program, inner, value); });
    return found;
  });
}

const Function* kernelOf(const Program& program, const Stm& stm) {
  const auto* call = std::get_if<Call>(&stm.expr);
  const Function* callee = call == nullptr ? nullptr : program.find(call->function);
  return callee == nullptr || callee->kernel.empty() ? nullptr : callee;
}

Kernels::Kernels(const Program& program) {
  for (const Function& function : program.functions) {
    if (!function.kernel.empty()) by_name_.emplace(function.name, &function);
  }
}

const Function* Kernels::of(const Stm& stm) const {
  const auto* call = std::get_if<Call>(&stm.expr);
  const auto found = call == nullptr ? by_name_.end() : by_name_.find(call->function);
  return found == by_name_.end() ? nullptr : found->second;
}

bool isComputed(const Stm& stm) {
  if (stm.checked) return false;
  return std::holds_alternative<PrimOp>(stm.expr) || std::holds_alternative<Convert>(stm.expr) ||
         std::holds_alternative<Select>(stm.expr);
}

bool launchesNothing(const Stm& stm) {
  return isComputed(stm) || std::holds_alternative<Assert>(stm.expr) ||
         std::holds_alternative<Index>(stm.expr) || std::holds_alternative<Slice>(stm.expr) ||
         std::holds_alternative<Rearrange>(stm.expr) || std::holds_alternative<Reshape>(stm.expr) ||
         std::holds_alternative<Literal>(stm.expr);
}

bool readsRow(const Program& program, const Stm& stm) {
  return std::holds_alternative<Index>(stm.expr) && !stm.checked &&
         program.type(stm.results[0]).rank() == 1;
}

bool isPlainScalar(const Program& program, const Function& callee, size_t param) {
  ValueId value = callee.params[param];
  // Sizes are i64.
  if (program.type(value) != Type{prim::ScalarType::kI64, {}}) return true;
  bool in_shape = std::any_of(callee.params.begin(), callee.params.end(), [&](ValueId other) {
    return mentions(program.type(other).shape, value);
  });
  return !in_shape && !mentions(callee.kernel[0].space, value) &&
         !isSizeIn(program, callee.body, value);
}

}  // namespace halo::gpu
