// Indices that are affine in the position of a cell, such as `n - 1 - i`, `2 * i + 1`, `(i + r) %
// n`. They are injective, so the adjoint of such a read is a gather by the inverse map.
#pragma once

#include <functional>
#include <optional>

#include "lang/ad/emit.h"

namespace halo::ad {

// `factor * position + offset`, modulo `modulus` if there is one.
struct Affine {
  int64_t factor = 0;
  Operand offset;
  std::optional<Operand> modulus;
};

// Of the numbers that a map gives; `isPositions` knows arrays `0 .. n - 1`. Emits the offset.
std::optional<Affine> affineIndices(Emitter& e, ValueId indices,
                                    const std::function<bool(ValueId)>& isPositions);
// For each place of `size` the row of the cell with that index, 0 where there is none.
ValueId gatheredBack(Emitter& e, const Affine& index, ValueId rows, const Operand& size);

}  // namespace halo::ad
