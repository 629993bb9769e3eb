// Flags by neighbours as a part of the scan that counts them: the starts of runs.
//
//   fs = stencil [n] (window xs clamp {-1, 0}) map (a, b) { f = a != b; return f }
//   ends, count = screma [n] (fs) map (f) { one = select f 1 0; .. } reduce + scan +
// becomes
//   is = iota i64 [n] 0 1
//   ends, count = screma [n] (is) map (i) { a = index xs[max 0 (i - 1)]; b = index xs[i]
//                                           f = a != b; one = select f 1 0; .. } reduce + scan +
//
// Flags that the scatter reads as well are a result of the scan then, and so is their count where
// the stencil reduces it.
//
// Fusion does not do it, as a node with windows has no scans. The kernels of a compaction read each
// element twice. Its neighbour lies in the same cache lines, so this takes less time than flags in
// memory.
#pragma once

#include "gpu/plan/variants.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// In all compactions of the body, where such code is short and has no checks.
void countNeighbours(core::Program& program, core::Body& body, const Variants& variants);

}  // namespace halo::gpu
