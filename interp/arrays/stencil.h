// The common part of stencils and padding: values outside an array (language.md#stencils), and
// cells by position.
#pragma once

#include "interp/arrays/array.h"

namespace halo::interp {

// The boundary of one axis.
struct Boundary {
  enum class Kind { kClamp, kMirror, kWrap, kConstant } kind = Kind::kClamp;
  Datum constant;
};
// One sum per axis: a single one, or a tuple.
std::vector<Boundary> readBoundaries(const Datum& boundaries);

// The cell that stands for one outside, or -1 for a constant; the axis has cells.
int64_t insidePosition(const Boundary& boundary, __int128 position, int64_t extent);

// `a[position]` for a position in the first axes.
Datum cellAt(const Datum& datum, const Dims& position);

}  // namespace halo::interp
