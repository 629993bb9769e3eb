// Kernels store results where updates would copy them (short-circuiting of arrays [Munksgaard,
// Hovland, Oancea, Henriksen 2022]):
//
//   t = call main_1 (n, xs, ..)            zs = call main_1 (n, xs, .., ys, i)
//   zs = call main_2 (n, i, ys, t)   ->    kernel main_1 { t = stencil ..
//                                                          zs = update ys[i] = t;  return zs }
//
// Loops that write the state of each step into a history store it once, and so do updates of slices.
// The array is made for the update alone, the index or slice is known to the host, and the kernel
// reads no elements that are replaced but each cell its own (`ys with [a:b] = map f ys[a:b]`). It
// may read other arrays, and parts `ys[j]` and elements `ys[j, ..]` that are apart from those
// replaced: `j` and `i` differ by a constant, or `j` is in front of the slice or behind it
// (regions.h). Kernels behind the update that want `t` as well read it from its row.
#pragma once

#include <optional>

#include "lang/core/ir.h"

namespace halo::gpu {

void updateInPlace(core::Program& program, core::Function& host);

// The update at the end of the kernel that says where its result `i` is stored, if there is one. Its
// value is the result that the kernel makes, or that result with further axes of one element.
const core::Update* storedBy(const core::Function& kernel, size_t i);
// The update as the caller of the kernel sees it, if the kernel's parameters say all of it; its
// value, unless the kernel makes it.
std::optional<core::Update> asArguments(const core::Function& kernel, const core::Call& call,
                                        const core::Update& update);
// The kernel without those: it returns what it makes.
core::Function withoutStores(const core::Function& whole);

}  // namespace halo::gpu
