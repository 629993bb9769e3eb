// Scatters: one invocation for each index; pairs out of range are dropped.
#include "gpu/templates/templates.h"

namespace halo::gpu {

using namespace imp;
TemplateResult emitScatter(Program& program, Builder& host, const KernelCall& call) {
  const auto& scatter = std::get<core::Scatter>(lastStatement(call).expr);
  KernelScope scope(program, host, call, call.function.name);
  Operands space = {operandOf(call.arguments, scatter.width)};
  Grid grid = forEachCell(scope, space, [&](const Operands& at, const Place& place) {
    Builder& code = scope.code();
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    for (size_t i = 0; i < scatter.inputs.size(); i++) {
      ArrayRef input = environment.arrays.at(scatter.inputs[i]);
      bindElement(code, call.core, environment, scatter.map.params[i], input, at);
    }
    Results values = lowerBody(code, call.core, scatter.map.body, environment, place);
    size_t next = 0;
    for (size_t d = 0; d < scatter.destinations.size(); d++) {
      ArrayRef target = scope.array(call.results[d]);
      Operands indices;
      for (int k = 0; k < scatter.destinations[d].index_rank; k++) {
        indices.push_back(values.scalars[next++]);
      }
      size_t value = next++;
      code.ifThenElse(isInside(code, indices, target), [&] {
        if (call.core.type(scatter.map.body.results[value]).isScalar()) {
          storeElement(code, target, indices, values.scalars[value]);
        } else {
          copyArray(code, place, prefixView(code, target, indices), values.arrays[value]);
        }
      });
    }
  });
  scope.launch(grid.workgroup, grid.groups);
  return {{}, !scope.unsupported()};
}

}  // namespace halo::gpu
