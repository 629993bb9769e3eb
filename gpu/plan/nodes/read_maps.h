// Elements of a cheap map, computed again where several kernels read them.
//
//   ys = screma [n] (xs) map (x) { y = i32.add x 1; return y }
//   ends, count = screma [n] (is) map (i) { a = index ys[i]; b = index ys[j]; .. } scan +
//   kept = scatter [n] (flags, ends, ys) map (flag, end, y) { .. }
// becomes
//   ends, count = screma [n] (is) map (i) { x = index xs[i]; a = i32.add x 1; .. } scan +
//   kept = scatter [n] (flags, ends, xs) map (flag, end, x) { y = i32.add x 1; .. }
//
// Why: the array between costs a write of memory, and its readers read as much as they do now. Two
// kernels of a compaction read neighbours, so that fusion leaves the map alone.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

// The map that makes this array, if all that read it are maps, scans and scatters of its elements
// and code that indexes it. Whether it is gone now.
bool readThrough(core::Program& program, core::Body& body, core::ValueId array);

// Arrays that the lambda indexes.
std::vector<core::ValueId> indexedBy(const core::Lambda& lambda);

}  // namespace halo::gpu
