// Which buffers statements load from and store to.
#pragma once

#include <functional>
#include <set>

#include "lang/imp/ir.h"

namespace halo::imp {

enum class Access : uint8_t { kLoad, kStore, kAtomic };

// All accesses of a block and of the blocks inside, in order.
void forEachAccess(const Block& block,
                   const std::function<void(BufferId buffer, Access access)>& visit);

// The buffers that a block writes to, also by atomic operations.
std::set<BufferId> writtenBuffers(const Block& block);

}  // namespace halo::imp
