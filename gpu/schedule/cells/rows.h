// Schedules of cells that read or write short rows, such as `[n][3]f32`
// (docs/gpu.md#cells-with-short-rows).
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

// Of an array that a workgroup moves: the quotient by a row's elements is a product with a
// reciprocal, exact below (gpu/templates/cells/row_cells.cpp).
constexpr int64_t kMaxRowElements = int64_t{1} << 12;

// Whether the parts of the array inside of so many levels are rows with at most so many elements,
// as far as its type says.
bool mayBeShortRows(const core::Program& program, core::ValueId array, size_t levels, int64_t most);

// Adds the version, if cells of the nest's outer `levels` have such inputs or results.
void addRowCells(KernelChoice& choice, const core::Program& program, const core::Stm& nest,
                 size_t levels, const Limits& limits, const Request& request);
// The levels around the first rows whose elements types know; else one.
size_t levelsAroundRows(const core::Program& program, const core::Stm& nest, size_t most);

}  // namespace halo::gpu
