// Cells that read along columns. 32 lanes of a line then read 32 lines of the array, and each load
// takes as long as 32. A workgroup takes a tile of 32 x 32 cells instead. It reads the elements of
// the tile along the array's own lines and passes them through shared memory [Ruetsch, Micikevicius
// 2009: Optimizing Matrix Transpose in CUDA].
//
//   map2 (map2 (+)) xs (transpose ys)
//
//         ys             shared            xs, result
//     lane 0 1 2 ..     | | | |            lane 0 1 2 ..
//        [===>          v v v v               [===>
//        [===>                                [===>
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// Reads of a cell whose neighbours in memory are neighbours along another dimension of the space
// than the last.
struct TransposedReads {
  size_t dimension;
  std::vector<size_t> reads;  // numbers among the loads of a cell
};

// Of code for the cell at these indices, if it has no loops and cannot fail.
std::optional<TransposedReads> transposedReads(const imp::Program& program, const imp::Block& cell,
                                               const imp::Operands& indices);

// The kernel of `scope` by tiles. `body` as in forEachCell.
Grid stagedCells(KernelScope& scope, const imp::Operands& host_space, const CellBody& body,
                 const TransposedReads& transposed, const StagedCellsSchedule& schedule);
// The load that a statement binds; else null.
const imp::Load* loadOf(const imp::Stm& stm);

}  // namespace halo::gpu
