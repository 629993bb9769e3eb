// The adjoint of padding, for one axis: inner cells keep their cotangents, border cells add theirs
// to the cells that they stand for.
//
//   ys = pad xs (2, 1) clamp
// becomes
//   xs' = ys'[2:2 + n], with the sum of ys'[0], ys'[1] added at 0 and ys'[2 + n] at n - 1
#pragma once

#include "lang/ad/emit.h"

namespace halo::ad {

// Where cell `t` of the padded axis comes from; -1: from no cell.
Operand paddingSource(Emitter& e, core::BoundaryKind kind, const Operand& t, const Operand& size);

// The values beyond an axis on both sides, that axis outermost.
ValueId paddingBorder(Emitter& e, ValueId padded, const core::PadDim& dim, size_t axis,
                      const Operand& size);

// The cotangents of a padded array as those of an array that is not padded along this axis.
Operand foldedPadding(Emitter& e, const Operand& c, const core::PadDim& dim, size_t axis,
                      const Operand& size);

}  // namespace halo::ad
