// Elements of arrays that neighbouring segments of a reduction read at their own places:
//
//   screma [n] (iota) map (i) { s = screma [k] (iota, w) map (j, a) {
//     at = i64.add i j;  x = index xs[at];  .. } reduce f32.add 0f32 }
//
// Segment i + 1 reads the element behind the one of segment i. An invocation for each segment then
// reads whole memory lines together with its neighbours, though xs is no input of the reduction.
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// Whether there are such reads, and none at other strides. `levels` as of reduceNest, of a kernel;
// the segments are those of the last level but one.
bool segmentsReadNeighbours(const core::Function& kernel,
                            const std::vector<const core::Screma*>& levels);

}  // namespace halo::gpu
