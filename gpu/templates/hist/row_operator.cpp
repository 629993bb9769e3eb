#include "gpu/templates/hist/row_operator.h"

namespace halo::gpu {

using namespace imp;

Operands applyToElements(KernelScope& scope, const RowOperator& op, const Environment& known,
                         const Operands& values) {
  Environment environment = known;
  for (size_t k = 0; k < op.parameters.size(); ++k) {
    environment.scalars[op.element->params[k]] = values[op.parameters[k]];
  }
  LoweringTarget target = scope.place(i64(1), [] { return i64(0); });
  return lowerBody(scope.code(), scope.core(), op.element->body, environment, target).scalars;
}

}  // namespace halo::gpu
