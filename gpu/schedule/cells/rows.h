// Schedules of cells that read or write short rows, such as `[n][3]f32`
// (docs/gpu.md#cells-with-short-rows).
#pragma once

#include <algorithm>
#include <functional>

#include "gpu/schedule/choose.h"

namespace halo::gpu {

// Of an array that a workgroup moves: the quotient by a row's elements is a product with a
// reciprocal, exact below (gpu/templates/cells/row_cells.cpp).
constexpr int64_t kMaxRowElements = int64_t{1} << 12;

// Whether the parts of the array inside of so many levels are rows that the schedule moves, as far
// as its type says. Elements of less than 4 bytes move by vectors alone.
bool mayBeShortRows(const core::Program& program, core::ValueId array, size_t levels,
                    const RowCellsSchedule& schedule);

// What an element takes of a lane's room, which has 4 bytes for each element of a longest row.
// Elements of 8 bytes count as those of 4.
inline int64_t roomOf(prim::ScalarType type) { return std::min<int64_t>(prim::byteSize(type), 4); }

// Adds the versions, if cells of the nest's outer `levels` have such inputs or results.
void addRowCells(KernelChoice& choice, const core::Program& program, const core::Stm& nest,
                 size_t levels, const Limits& limits, const Request& request);
// Their guards become `limited` of what they are.
void limitRowCells(KernelChoice& choice, const std::function<Condition(Condition)>& limited);
// Whether types know the elements of the nest's results inside of so many levels.
bool hasKnownRows(const core::Program& program, const core::Stm& nest, size_t levels);
// The same, and their number is odd: such rows lie in shared memory without padding.
bool hasOddRows(const core::Program& program, const core::Stm& nest, size_t levels);
// The levels around the first rows whose elements types know; else one.
size_t levelsAroundRows(const core::Program& program, const core::Stm& nest, size_t most);

}  // namespace halo::gpu
