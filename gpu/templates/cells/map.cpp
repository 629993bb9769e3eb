// Map nests: one invocation for each cell of the collapsed space.
#include "gpu/plan/nests/nest.h"
#include "gpu/templates/cells/staged.h"

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

// What a cell does, of which `levels` are the maps around its body.
CellBody cellOf(KernelScope& scope, const std::vector<const core::Screma*>& levels) {
  return [&scope, &levels](const Operands& indices, const Place& place) {
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
  };
}

// By tiles in shared memory, where there are enough cells for them.
void launchStaged(Program& program, Builder& host, const KernelCall& call,
                  const std::vector<const core::Screma*>& levels, const Operands& space,
                  const TurnedReads& turned) {
  KernelScope scope(program, host, call, call.function.name + "_staged");
  const CellBody cell = cellOf(scope, levels);
  const Grid grid = stagedCells(scope, space, cell, turned);
  scope.launch(grid.workgroup, grid.groups);
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
  const CellBody cell = cellOf(scope, levels);
  const Grid grid = forEachCell(scope, space, cell);
  const Variants& variants = call.variants;
  if (grid.turned) variants.canBe({"staged", "plain"});
  if (!grid.turned || !variants.allows("staged")) {
    scope.launch(grid.workgroup, grid.groups);
    return {{}, !scope.unsupported()};
  }
  variants.say(call.function.name +
               ": reads along columns go by tiles of 32 x 32 cells through shared memory");
  if (variants.forced == "staged") {
    launchStaged(program, host, call, levels, space, *grid.turned);
    return {};
  }
  host.ifThenElse(
      fillsTiles(host, space, *grid.turned),
      [&] { launchStaged(program, host, call, levels, space, *grid.turned); },
      [&] { scope.launch(grid.workgroup, grid.groups); });
  return {};
}

}  // namespace halo::gpu
