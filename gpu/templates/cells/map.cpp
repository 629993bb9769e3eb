// Map nests: one invocation for each cell of the collapsed space.
#include "gpu/plan/nests/nest.h"
#include "gpu/templates/templates.h"

namespace halo::gpu {

using namespace imp;

namespace {

// Binds the parameters of one level of the nest to the elements at that level's index.
void bindInputs(KernelScope& scope, const core::Screma& level, const Operand& index,
                Environment& environment) {
  for (size_t i = 0; i < level.inputs.size(); i++) {
    ArrayRef input = environment.arrays.at(level.inputs[i]);
    bindElement(scope.code(), scope.core(), environment, level.map.params[i], input, {index});
  }
}

}  // namespace

TemplateResult emitMap(Program& program, Builder& host, const KernelCall& call) {
  const auto& outer = std::get<core::Screma>(lastStatement(call).expr);
  std::vector<const core::Screma*> levels = mapNest(outer, call.function.kernel[0].space.size());
  KernelScope scope(program, host, call, call.function.name);
  Operands space;
  for (const core::Screma* level : levels) {
    space.push_back(operandOf(call.arguments, level->width));
  }
  Grid grid = forEachCell(scope, space, [&](const Operands& indices, const Place& place) {
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    for (size_t k = 0; k < levels.size(); k++) {
      bindInputs(scope, *levels[k], indices[k], environment);
      if (k + 1 == levels.size()) break;
      core::Body between;  // the code before the inner map
      between.stms.assign(levels[k]->map.body.stms.begin(), levels[k]->map.body.stms.end() - 1);
      lowerBody(scope.code(), scope.core(), between, environment, place);
    }
    const core::Body& body = levels.back()->map.body;
    Results values = lowerBody(scope.code(), scope.core(), body, environment, place,
                               cellDestinations(scope, body, indices));
    storeScalars(scope, body, values, indices);
  });
  scope.launch(grid.workgroup, grid.groups);
  return {{}, !scope.unsupported()};
}

}  // namespace halo::gpu
