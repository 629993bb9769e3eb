// The invariants of a loop: the Houdini algorithm [Flanagan, Leino 2001]. All candidates that the
// initial values satisfy are assumed at the head of the loop. Those that the next values break are
// dropped, until the body preserves all that are left.
#pragma once

#include <functional>

#include "lang/passes/bounds/loop_invariants.h"

namespace halo::passes {

// `walk` adds the facts at the end of the body, if these invariants hold at its head.
using WalkBody = std::function<void(const std::vector<LoopInvariant>&)>;
std::vector<LoopInvariant> inductiveInvariants(const core::Program& program, const core::Loop& loop,
                                               BoundsFacts& facts, const WalkBody& walk);

// Facts of the loop's results that follow from them.
void knowBehind(const core::Stm& loop, const std::vector<LoopInvariant>& invariants,
                BoundsFacts& facts);

}  // namespace halo::passes
