// Equal maps, reductions, scans and stencils are computed once.
//
//   ys_2: [n]f32 = screma [n] (xs_1) map (x_3: f32) { y_4 = f32.mul x_3 k_0; return y_4 }
//   zs_5: [n]f32 = screma [n] (xs_1) map (x_6: f32) { z_7 = f32.mul x_6 k_0; return z_7 }
// becomes
//   ys_2 alone, and zs_5 is known as ys_2
//
// Requires nothing. Ensures: no statement moves; arrays that are consumed keep statements of their
// own. Runs after fuse: two consumers of one array would keep it from being fused with either.
//
// Why: a function that is inlined twice makes its tables twice.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program mergeNodes(const core::Program& program);

}  // namespace halo::passes
