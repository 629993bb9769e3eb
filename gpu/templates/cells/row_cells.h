// Cells of a kernel's outermost map with short rows (docs/gpu.md#cells-with-short-rows).
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// The version `row_cells` of maps and of reductions in nests. `levels`: of the nest, which one
// invocation goes through but for the first.
class RowCells {
 public:
  RowCells(imp::Program& program, imp::Builder& host, const KernelCall& call,
           std::vector<const core::Screma*> levels);

  // Quantities of this version alone; nothing for others.
  std::optional<imp::Operand> quantity(Quantity which) const;
  TemplateResult emit(const RowCellsSchedule& schedule) const;

 private:
  imp::Operand innerElements() const;
  imp::Operand longestRow() const;

  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  std::vector<const core::Screma*> levels_;
};

}  // namespace halo::gpu
