// Common parts of the templates: statements of a kernel, indices, results of a cell.
#include "gpu/templates/templates.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

const core::Stm& lastStatement(const KernelCall& call) { return call.function.body.stms.back(); }

void lowerPrefix(KernelScope& scope, Environment& environment, const LoweringTarget& target) {
  core::Body prefix;
  const std::vector<core::Stm>& stms = scope.call().function.body.stms;
  prefix.stms.assign(stms.begin(), stms.end() - 1);
  if (!prefix.stms.empty()) {
    lowerBody(scope.code(), scope.core(), prefix, environment, target);
  }
}

Results mapElement(KernelScope& scope, const std::vector<core::ValueId>& inputs,
                   const core::Lambda& map, Environment& environment, const LoweringTarget& target,
                   const Operand& i) {
  for (size_t k = 0; k < inputs.size(); ++k) {
    ArrayRef input = environment.arrays.at(inputs[k]);
    bindElement(scope.code(), scope.core(), environment, map.params[k], input, {i});
  }
  return lowerBody(scope.code(), scope.core(), map.body, environment, target);
}

Operand asWord(Builder& code, const Operand& value) {
  return code.let("w", ScalarType::kU32,
                  Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32, value});
}

void branch(Builder& code, const Operand& condition, const std::function<void()>& yes,
            const std::function<void()>& no) {
  if (condition.isConstant()) return condition.constant.asBool() ? yes() : no();
  code.ifThenElse(condition, yes, no);
}

Operands indicesOf(Builder& code, Operand position, const Operands& extents) {
  Operands indices(extents.size());
  for (size_t k = extents.size(); k-- > 1;) {
    Operand rest = code.prim(Op::kMachineDiv, ScalarType::kI64, {position, extents[k]});
    indices[k] = code.sub(position, code.mul(rest, extents[k]));
    position = rest;
  }
  if (!extents.empty()) indices[0] = position;
  return indices;
}

Operand positionOf(Builder& code, const Operands& indices, const Operands& extents) {
  Operand position = Operand::ofI64(0);
  for (size_t k = 0; k < indices.size(); ++k) {
    position = code.add(code.mul(position, extents[k]), indices[k]);
  }
  return position;
}

Destinations cellDestinations(KernelScope& scope, const core::Body& body, const Operands& indices,
                              size_t first_result) {
  Destinations destinations(body.results.size());
  for (size_t i = 0; i < body.results.size(); ++i) {
    const core::Operand& result = body.results[i];
    if (scope.core().type(result).isScalar()) continue;
    ArrayRef whole = scope.array(scope.call().results[first_result + i]);
    destinations[i] = prefixView(scope.code(), whole, indices);
  }
  return destinations;
}

void storeScalars(KernelScope& scope, const core::Body& body, const Results& values,
                  const Operands& indices, size_t first_result) {
  for (size_t i = 0; i < body.results.size(); ++i) {
    if (!scope.core().type(body.results[i]).isScalar()) continue;
    ArrayRef whole = scope.array(scope.call().results[first_result + i]);
    storeElement(scope.code(), whole, indices, values.scalars[i]);
  }
}

}  // namespace halo::gpu
