// Successive kernels of one invocation each, as one kernel:
//
//   xs1 = call main_1 (r, i, xs)           update xs[r] = i
//   () = call main_2 (b, i, n)             assert b           ->    (xs1, ys1) = call main_4 (..)
//   ys1 = call main_3 (i, ys)              update ys[i] = 0
//
// A whole reduction may be in front of them; the invocation that has its totals then runs them
// (code_behind.h). So the condition of a loop costs no launch where a sum or a maximum decides it.
//
// A launch costs more than such a kernel takes. Loops have several in each iteration: checks,
// elements at places that only the device knows, updates, stores of scalars. Views and scalars
// between them go in front. Scalars, elements and branches that depend on them are computed inside:
// straight code over one array (`let xs = xs with [0] = xs[1] + 1`, again and again) is a kernel
// for each 64 statements.
#pragma once

#include <functional>
#include <string>

#include "lang/core/ir.h"

namespace halo::gpu {

void joinSingles(core::Program& program, core::Function& host,
                 const std::function<std::string()>& next_name);

}  // namespace halo::gpu
