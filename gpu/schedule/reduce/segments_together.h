// Reductions in a nest whose segments all walk over the same elements, each with values of its own:
//
//   screma [n] (xs) map (x) { screma [m] (ys) map (y) { f x y } reduce op ne }
//
// A run of invocations then takes several segments at once and loads each element once for all of
// them. (Register blocking; Volkov, Better Performance at Lower Occupancy, 2010.) Each segment
// keeps its order.
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// How many segments; 1: segments have elements of their own, or code that must not stand twice.
int64_t segmentsTogether(const core::Program& program,
                         const std::vector<const core::Screma*>& levels);

}  // namespace halo::gpu
