// The arithmetic of neighbouring cells of a stencil, as one piece of straight code.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/imp/lower/lower_body.h"

namespace halo::gpu {

// One cell.
struct CellCode {
  int64_t piece;  // of the invocation's cells
  imp::Block block;
  std::vector<int64_t> outer;  // its row
  imp::Results results;
  int64_t level = 0;  // the last row that it needs
};

// Nothing but values made from values: no branches, loops, loads, stores.
bool isArithmetic(const std::vector<CellCode>& cells);
// The common part of cells (sums of neighbours, passes/share_sums) is computed by the first that
// wants it; values without uses go.
void shareValues(std::vector<CellCode>& cells);

}  // namespace halo::gpu
