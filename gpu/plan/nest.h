// Map nests that collapse into one index space.
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// The maps of a nest from the outside in. Level k+1 is the last statement of level k's lambda and
// its results are the lambda's results; what stands before it is cheap, total scalar code that
// every cell may compute again:
//
//   screma [n] (xs) map (x) { a = f32.mul x k;  zs = screma [m] (ys) map (y) { .. }; return zs }
std::vector<const core::Screma*> mapNest(const core::Screma& outer, size_t max_levels);

inline bool isMap(const core::Screma& screma) {
  return screma.reductions.empty() && screma.scans.empty();
}

}  // namespace halo::gpu
