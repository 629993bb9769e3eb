// Building map nests around statements that one cell of a nest ran.
#pragma once

#include <unordered_map>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// Values of one cell, and the arrays that hold them for all cells: [w1]..[wk][shape of the value].
using Expanded = std::unordered_map<core::ValueId, core::ValueId>;

// The levels around a body: widths, inputs, and cheap code between them (gpu/plan/nests/nest.h).
class Levels {
 public:
  Levels(core::Program& program, std::vector<const core::Screma*> levels);

  const core::Operands& widths() const { return widths_; }
  // Bound by the levels: parameters and the code between them.
  bool binds(core::ValueId value) const;
  // An array of the host that holds this parameter of the innermost level for all cells; or none.
  core::ValueId sourceOf(core::ValueId param) const;

  core::Type expandedType(const core::Type& of_cell) const;

  // The nest that runs `body` in every cell and gives its results to `results`. The body's names
  // from the levels are bound there, those from `expanded` become inputs. Binders are new.
  core::Stm nest(core::Body body, std::vector<core::ValueId> results, const Expanded& expanded,
                 core::Span span) const;

  // Statements that bind all that `body` uses for the cell with these indices, in front of it. For
  // nodes that run over all cells of the nest as one dimension.
  core::Body bound(core::Body body, const core::Operands& indices, const Expanded& expanded) const;

 private:
  core::Program& program_;
  std::vector<const core::Screma*> levels_;
  core::Operands widths_;
};

// Those statements of `candidates` that `body` needs, in front of it.
core::Body withNeeded(const core::Program& program, const std::vector<core::Stm>& candidates,
                      core::Body body);

}  // namespace halo::gpu
