// Kernels store results where updates would copy them (short-circuiting of arrays [Munksgaard,
// Hovland, Oancea, Henriksen 2022]):
//
//   t = call main_1 (n, xs, ..)            zs = call main_1 (n, xs, .., ys, i)
//   zs = call main_2 (n, i, ys, t)   ->    kernel main_1 { t = stencil ..
//                                                          zs = update ys[i] = t;  return zs }
//
// Loops that write the state of each step into a history store it once. The array is made for the
// update alone, the index is known to the host, and the kernel reads no elements that are
// replaced. It may read other arrays. Where `j` and `i` differ by a constant, it may read the part
// `ys[j]` and elements `ys[j, ..]`.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

void updateInPlace(core::Program& program, core::Function& host);

// The update at the end of the kernel that says where its result `i` is stored, if there is one.
const core::Update* storedBy(const core::Function& kernel, size_t i);

}  // namespace halo::gpu
