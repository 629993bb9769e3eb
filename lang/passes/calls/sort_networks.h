// Writes out sorts of few elements in a lambda as comparisons.
//
//   s_3: [2]u32 = call radix_sort_u32 (ks_2)             in a lambda
// becomes
//   k_4: u32 = index ks_2[0i64]
//   k_5: u32 = index ks_2[1i64]
//   t_6: u32 = u32.min k_4 k_5
//   t_7: u32 = u32.max k_4 k_5
//   s_3: [2]u32 = array u32 {t_6, t_7}
//
// Requires: sorts are calls (inlineAllButSorts). Ensures: no lambda calls a sort of a constant size
// up to 32 whose network has at most 1,024 statements. Elements beside the keys are selected along;
// keys that are equal stay in their order by their positions.
//
// Why: a median filter sorts nine neighbours in each cell. The networks (merge exchange: D. Knuth,
// The Art of Computer Programming 3, 5.2.2, algorithm M) keep them in registers. A radix sort
// counts in a table of 256.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program sortNetworks(const core::Program& program);

}  // namespace halo::passes
