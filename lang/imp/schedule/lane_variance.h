// Divergence analysis of a loop whose iterations run in lanes [Karrenberg 2011]: the
// variables whose values differ between lanes. All others are uniform and stay scalar.
#pragma once

#include <unordered_set>
#include <vector>

#include "lang/imp/ir.h"

namespace halo::imp {

using VaryingVars = std::unordered_set<VarId>;

// `lane_arrays`: the private arrays of the iterations, of which each lane has its own.
VaryingVars varyingInLanes(const For& loop, const std::vector<BufferId>& lane_arrays);

}  // namespace halo::imp
