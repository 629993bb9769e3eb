// Arrays of the evaluator: positions and the elements they select. Nothing here fails; positions
// are inside.
#pragma once

#include <functional>

#include "lang/core/evaluate/evaluate.h"

namespace halo::core {

using Position = std::vector<int64_t>;

int64_t elements(const std::vector<int64_t>& shape);
// In row-major order, all positions of a space.
void eachPosition(const std::vector<int64_t>& space,
                  const std::function<void(const Position&)>& run);
bool isInside(const Position& position, const std::vector<int64_t>& shape);

// The part of `array` at a position in its outer dimensions.
Datum at(const Datum& array, const Position& position);
// The array with that part replaced.
Datum withPart(const Datum& array, const Position& position, const Datum& part);
// An array of this shape whose part at each position of its outer dimensions is `part(position)`.
Datum built(ScalarType type, const std::vector<int64_t>& shape, const std::vector<int64_t>& outer,
            const std::function<Datum(const Position&)>& part);

// Where `position` lies on an axis of `extent` elements (language.md#stencils); nothing:
// the constant.
std::optional<int64_t> insideBy(BoundaryKind kind, int64_t position, int64_t extent);

}  // namespace halo::core
