// Map nests: one invocation for each cell of the collapsed space, or lanes of a subgroup.
#include "gpu/plan/nests/lane_cells.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/templates/cells/nest_cell.h"
#include "gpu/templates/cells/staged.h"
#include "gpu/templates/host/versions.h"

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

CellBody cellOf(KernelScope& scope, const std::vector<const core::Screma*>& levels) {
  return [&scope, &levels](const Operands& indices, const Place& place) {
    const Results values = lowerCell(scope, levels, indices, place);
    storeScalars(scope, levels.back()->map.body, values, indices);
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

// One invocation for each cell, or a few cells.
TemplateResult emitByCells(Program& program, Builder& host, const KernelCall& call) {
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

Operand cellQuantity(Builder& host, const KernelCall& call, const LaneCells& cells,
                     Quantity which) {
  Operand number = i64(which == Quantity::kSegments ? 1 : 0);
  if (which == Quantity::kSegments) {
    for (const core::Screma* level : cells.levels) {
      number = host.mul(number, operandOf(call.arguments, level->width));
    }
    return number;
  }
  for (core::ValueId array : cells.arrays) {
    number = host.max(number, elementCount(host, call.arguments.arrays.at(array).shape));
  }
  return number;
}

}  // namespace

Results lowerCell(KernelScope& scope, const std::vector<const core::Screma*>& levels,
                  const Operands& indices, const Place& place) {
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
  return lowerBody(scope.code(), scope.core(), body, environment, place,
                   cellDestinations(scope, body, indices));
}

TemplateResult emitMap(Program& program, Builder& host, const KernelCall& call) {
  if (call.versions.empty()) return emitByCells(program, host, call);
  const std::optional<LaneCells> cells = asLaneCells(call.core, call.function);
  bool supported = true;
  const QuantityOperand quantity = [&](Quantity which) {
    return cellQuantity(host, call, *cells, which);
  };
  emitVersions(host, call, quantity, [&](const Schedule& version) {
    const auto* lanes = std::get_if<CellLanesSchedule>(&version);
    const TemplateResult made = lanes != nullptr ? emitCellLanes(program, host, call, *lanes)
                                                 : emitByCells(program, host, call);
    supported = supported && made.supported;
  });
  return {{}, supported};
}

}  // namespace halo::gpu
