// Owners of private arrays. Each iteration of a loop has its own of those that nothing outside of
// the loop mentions. The others belong to the code around it, and iterations that run at once share
// them.
#pragma once

#include <unordered_map>
#include <vector>

#include "lang/imp/ir.h"

namespace halo::imp {

// How often each buffer is mentioned.
using BufferUses = std::unordered_map<BufferId, int>;
BufferUses bufferUses(const Block& block);

// The private arrays of the iterations of a loop with this body, in order of their ids. `all`: the
// uses in the function. Constant data has no owner.
std::vector<BufferId> privateArraysOf(const Program& program, const BufferUses& all,
                                      const Block& body);

}  // namespace halo::imp
