// Kernels store results where updates would copy them (short-circuiting of arrays [Munksgaard,
// Hovland, Oancea, Henriksen 2022]):
//
//   t = call main_1 (n, xs, ..)            zs = call main_1 (n, xs, .., ys, i)
//   zs = call main_2 (n, i, ys, t)   ->    kernel main_1 { t = stencil ..
//                                                          zs = update ys[i] = t;  return zs }
//
// Loops that write the state of each step into a history store it once, and so do updates of
// slices. The array is made for the update alone, the index or slice is known to the host, and the
// kernel reads no elements that are replaced but each cell its own (`ys with [a:b] = map f
// ys[a:b]`). It may read other arrays, and parts `ys[j]` and elements `ys[j, ..]` that are apart
// from those replaced: `j` and `i` differ by a constant, or `j` is in front of the slice or behind
// it (regions.h). Kernels behind the update that want `t` as well read it from its row.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

void updateInPlace(core::Program& program, core::Function& host);

}  // namespace halo::gpu
