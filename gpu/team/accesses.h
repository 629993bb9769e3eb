// Which buffers statements load from and store to.
#pragma once

#include <functional>

#include "lang/imp/ir.h"

namespace halo::gpu {

// All accesses of a block and of the blocks inside, in order.
void forEachAccess(const imp::Block& block,
                   const std::function<void(imp::BufferId, bool is_write)>& visit);

}  // namespace halo::gpu
