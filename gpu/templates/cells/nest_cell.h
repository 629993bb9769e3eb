// The code of one cell of a map nest, and kernels that share a cell.
#pragma once

#include "gpu/plan/nests/lane_cells.h"
#include "gpu/templates/templates.h"

namespace halo::gpu {

// The names that the body of a cell sees, behind the code of the levels around it.
imp::Environment enterCell(KernelScope& scope, const std::vector<const core::Screma*>& levels,
                           const imp::Operands& indices, const imp::LoweringTarget& target);
// What a cell computes, of which `levels` are the maps around its body.
imp::Results lowerCell(KernelScope& scope, const std::vector<const core::Screma*>& levels,
                       const imp::Operands& indices, const imp::LoweringTarget& target);

// The extents of the maps around a cell (host).
imp::Operands spaceOf(const KernelCall& call, const std::vector<const core::Screma*>& levels);
// The same of all ranks: they decide on an order of additions.
imp::Operands wholeSpaceOf(const KernelCall& call, const std::vector<const core::Screma*>& levels);
// A cell, whose results are stored.
void emitCell(KernelScope& scope, const std::vector<const core::Screma*>& levels,
              const imp::Operands& indices, const imp::LoweringTarget& target);

// Lanes of a subgroup or workgroups share each cell (gpu/plan/nests/lane_cells.h).
// Elements of the largest array that rows lie in (host).
imp::Operand rowElements(imp::Builder& host, const KernelCall& call, const LaneCells& cells);
TemplateResult emitCellLanes(imp::Program& program, imp::Builder& host, const KernelCall& call,
                             const CellLanesSchedule& schedule);

}  // namespace halo::gpu
