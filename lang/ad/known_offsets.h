// Offsets that all calls of a function pass as one literal are a literal in the function.
//
//   fn f(n_1: i64, os_2: [2]i64, xs_3: [n_1]f32) {
//     ys = stencil [n_1] (window xs_3 clamp (os_2)) .. }
//   os_4: [2]i64 = array i64 {-1i64, 0i64}
//   .. = call vjp.1.1.f (n, os_4, xs, ws)
// becomes
//   fn f(n_1: i64, os_2: [2]i64, xs_3: [n_1]f32) {
//     os_5: [2]i64 = array i64 {-1i64, 0i64}
//     ys = stencil [n_1] (window xs_3 clamp (os_5)) .. }
//
// Requires simplify and unroll before it, which make array literals of known elements. Ensures:
// signatures and calls stay.
//
// Why: other passes see offsets once calls are inlined. Derivatives are written before that, and
// that of a window whose offsets only the run tells is a histogram.
#pragma once

#include "lang/core/ir.h"

namespace halo::ad {

core::Program knownOffsets(core::Program program);

}  // namespace halo::ad
