// How far the windows of a stencil reach, and what their boundaries allow.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// Of the offsets along an axis, 0 included.
struct Span {
  int64_t lo = 0, hi = 0;
  int64_t length() const { return hi - lo; }
};
std::vector<Span> spansOf(const core::Stencil& stencil);
// The longest way to a neighbour along an axis.
int64_t reachAlong(const core::Stencil& stencil, size_t axis);
// Whether cells have more neighbours than the axes have.
bool isBox(const core::Stencil& stencil);

// Whether a row of the array lies before all rows that the cells of the interior read, and one
// behind. Then vectors that begin before a row are in memory, if rows have room for
// kVectorsAround of them.
inline constexpr int64_t kVectorsAround = 3;  // two of the alignment offset, one beside them
bool hasRowsAround(const core::Stencil& stencil);

// Whether each neighbour can tell the end of its row: it reaches no further than one vector.
bool hasEndsAtCells(const core::Stencil& stencil, int64_t columns);

// An array of one constant: only its boundary distinguishes cells, and nothing is loaded.
bool isUniform(const core::Function& kernel, core::ValueId array);

// The alignment offsets for which kernels of unaligned rows are made. Each is how many cells
// further in its vector the next row of an axis but the last begins.
std::vector<std::vector<int64_t>> alignmentOffsets(size_t rank, int64_t columns);

}  // namespace halo::gpu
