// How many elements statements of a cell go through, as far as the launch knows.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// Host values.
struct CellWidths {
  imp::Operands single;  // of one level
  imp::Operands nested;  // of nests of several levels: the products
  bool are_all = true;   // there is no other statement that lanes share
};
CellWidths widthsOf(imp::Builder& host, const KernelCall& call, const core::Body& cell);

}  // namespace halo::gpu
