// Kernels store results where updates would copy them (short-circuiting of arrays, as in
// [Munksgaard 2022]):
//
//   t = call main_1 (n, xs, ..)            zs = call main_1 (n, xs, .., ys, i)
//   zs = call main_2 (n, i, ys, t)   ->    kernel main_1 { t = stencil ..
//                                                          zs = update ys[i] = t;  return zs }
//
// Loops that write the state of each step into a history store it once, and so do updates of
// slices. The array is made for the update alone, and the host knows the index or slice. Of the
// elements replaced, each cell of the kernel reads at most its own (`ys with [a:b] = map f
// ys[a:b]`). It may read other arrays, and parts `ys[j]` and elements `ys[j, ..]` disjoint from
// those replaced: `j` and `i` differ by a constant, or `j` is outside of the slice (regions.h).
// Kernels behind the update that want `t` as well read it from its row. A kernel stores several of
// its results in one array, where they are disjoint.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

void updateInPlace(core::Program& program, core::Function& host);

}  // namespace halo::gpu
