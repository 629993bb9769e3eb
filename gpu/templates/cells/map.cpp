// Map nests: one invocation for each cell of the collapsed space, or lanes that share one.
#include "gpu/plan/nests/lane_cells.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/templates/cells/cells.h"
#include "gpu/templates/cells/nest_cell.h"
#include "gpu/templates/cells/row_cells.h"
#include "gpu/templates/host/versions.h"

namespace halo::gpu {

using namespace imp;

namespace {

// Binds the parameters of one level of the nest to the elements at that level's index.
void bindInputs(KernelScope& scope, const core::Screma& level, const Operand& index,
                Environment& environment) {
  for (size_t i = 0; i < level.inputs.size(); ++i) {
    ArrayRef input = environment.arrays.at(level.inputs[i]);
    bindElement(scope.code(), scope.core(), environment, level.map.params[i], input, {index});
  }
}

Operand cellQuantity(Builder& host, const KernelCall& call, const LaneCells& cells,
                     Quantity which) {
  if (which == Quantity::kRowElements) return rowElements(host, call, cells);
  return elementCount(host, spaceOf(call, cells.levels));
}

}  // namespace

Environment enterCell(KernelScope& scope, const std::vector<const core::Screma*>& levels,
                      const Operands& indices, const LoweringTarget& target) {
  Environment environment = scope.environment();
  lowerPrefix(scope, environment, target);
  for (size_t k = 0; k < levels.size(); ++k) {
    bindInputs(scope, *levels[k], indices[k], environment);
    if (k + 1 == levels.size()) break;
    core::Body between;  // the code before the inner map
    between.stms.assign(levels[k]->map.body.stms.begin(), levels[k]->map.body.stms.end() - 1);
    lowerBody(scope.code(), scope.core(), between, environment, target);
  }
  return environment;
}

Results lowerCell(KernelScope& scope, const std::vector<const core::Screma*>& levels,
                  const Operands& indices, const LoweringTarget& target) {
  Environment environment = enterCell(scope, levels, indices, target);
  const core::Body& body = levels.back()->map.body;
  return lowerBody(scope.code(), scope.core(), body, environment, target,
                   cellDestinations(scope, body, indices));
}

Operands spaceOf(const KernelCall& call, const std::vector<const core::Screma*>& levels) {
  Operands space;
  for (const core::Screma* level : levels) {
    space.push_back(operandOf(call.arguments, level->width));
  }
  return space;
}

Operands wholeSpaceOf(const KernelCall& call, const std::vector<const core::Screma*>& levels) {
  Operands space = spaceOf(call, levels);
  const std::optional<core::Operand>& whole = call.function.kernel[0].whole_extent;
  if (whole) space.at(0) = operandOf(call.arguments, *whole);
  return space;
}

void emitCell(KernelScope& scope, const std::vector<const core::Screma*>& levels,
              const Operands& indices, const LoweringTarget& target) {
  const Results values = lowerCell(scope, levels, indices, target);
  storeScalars(scope, levels.back()->map.body, values, indices);
}

TemplateResult emitMap(Program& program, Builder& host, const KernelCall& call) {
  const auto& outer = std::get<core::Screma>(lastStatement(call).expr);
  const auto levels = mapNest(outer, call.function.kernel[0].space.size());
  CallOfCells cells(
      program, host, call, call.function.name, spaceOf(call, levels),
      [&levels](KernelScope& scope, const Operands& indices, const LoweringTarget& target) {
        emitCell(scope, levels, indices, target);
      });
  const std::optional<LaneCells> shared = asLaneCells(call.core, call.function);
  const RowCells rows(program, host, call, levels);
  bool supported = true;
  const QuantityOperand quantity = [&](Quantity which) {
    if (const std::optional<Operand> of_rows = rows.quantity(which)) return *of_rows;
    const std::optional<Operand> of_code = cells.quantity(which);
    return of_code ? *of_code : cellQuantity(host, call, *shared, which);
  };
  emitVersions(host, call, quantity, [&](const Schedule& version) {
    if (const auto* of_rows = std::get_if<RowCellsSchedule>(&version)) {
      supported = rows.emit(*of_rows).supported && supported;
      return;
    }
    const auto* lanes = std::get_if<CellLanesSchedule>(&version);
    const bool made = lanes != nullptr ? emitCellLanes(program, host, call, *lanes).supported
                                       : cells.emit(version);
    supported = supported && made;
  });
  return {{}, supported};
}

}  // namespace halo::gpu
