// Cells of a nest's outer maps with short rows (docs/gpu.md#cells-with-short-rows).
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// The versions `row_cells` of a call, if it has any. `levels`: of the nest; one invocation goes
// through those inside of the schedules' own.
class RowCells {
 public:
  RowCells(imp::Program& program, imp::Builder& host, const KernelCall& call,
           std::vector<const core::Screma*> levels);

  // Quantities of these versions alone; nothing for others.
  std::optional<imp::Operand> quantity(Quantity which) const;
  TemplateResult emit(const RowCellsSchedule& schedule) const;

 private:
  imp::Operand longestRow() const;
  bool areWhole() const;

  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  std::vector<const core::Screma*> levels_, around_;  // around_: the cells
  RowCellsSchedule schedule_;                         // the first one
};

}  // namespace halo::gpu
