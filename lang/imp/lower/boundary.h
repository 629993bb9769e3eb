// Neighbours and cells outside of an array (language.md#stencils): windows and pads, on the
// CPU and in kernels.
#pragma once

#include "lang/imp/lower/lower_body.h"

namespace halo::imp {

// Where `position + offset` is on an axis. `index` is inside whenever the axis is not empty.
struct Neighbour {
  Operand index;
  // A bool; only axes with a constant have one (not valid: inside, or moved there).
  std::optional<Operand> outside;
};
// `position` is inside or, for a constant offset 0, anywhere; offsets may be anything.
Neighbour neighbourAt(Builder& b, const core::Boundary& boundary, Operand position, Operand offset,
                      Operand extent);
// The element `value` loaded at these neighbours, or the constant of the outermost axis that is
// outside.
Operand orConstant(Builder& b, const Environment& environment,
                   const std::vector<core::Boundary>& boundary,
                   const std::vector<Neighbour>& neighbours, Operand value);
// The element of a pad at `indices`, full rank.
Operand padElement(Builder& b, const core::Program& core, const Environment& environment,
                   const core::Pad& pad, const Operands& indices);

}  // namespace halo::imp
