// Rows for the neighbours leave where a step has made them, in front of the sums that end it, and
// not where the next step reads them. They and the partial values of the sums wait for the same
// work, and travel together.
//
//   t = loop (v: [ext][m]f32 = room) while .. do {
//     w: [ext][m]f32 = call move.renew (k, above, below, before, behind, v)
//     (s: [c]f32, x: [ext][m]f32) = stencil [ext][m] (window w clamp {..}) ..
//     (p, all) = call move.join (s); ..
//     return x }
// becomes
//     r: [ext][m]f32 = call move.renew (k, above, below, before, behind, room)
//     t = loop (v: [ext][m]f32 = r) while .. do {
//       (s: [c]f32, x: [ext][m]f32) = stencil [ext][m] (window v clamp {..}) ..
//       y: [ext][m]f32 = call move.renew (k, above, below, before, behind, x)
//       (p, all) = call move.join (s); ..
//       return y }
//
// There is one exchange more than steps. Only for engines whose rows travel while they compute.
#pragma once

#include "lang/core/builder.h"

namespace halo::passes {

// `b`: in front of the loop.
void renewEarly(core::Builder& b, core::Loop& loop);

}  // namespace halo::passes
