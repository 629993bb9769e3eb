// Turns windows with offsets in arrays into windows with known offsets.
//
//   os_2: [3]i64 = array i64 {-1i64, 0i64, 1i64}
//   ys_3: [n]f32 = stencil [n] (window xs_1 clamp (os_2)) map (v_4: [3]f32) { .. v_4 .. }
// becomes
//   ys_3: [n]f32 = stencil [n] (window xs_1 clamp {-1, 0, 1}) map (a_5: f32, b_6: f32, c_7: f32) {
//     v_4: [3]f32 = array f32 {a_5, b_6, c_7}
//     .. v_4 .. }
//
// Requires simplify and unroll before it, which make array literals of known elements. Ensures: no
// window is dynamic whose offsets are literals; simplify then replaces `index v_4[0]` by a_5.
//
// Why: with known offsets the neighbours are registers instead of an array per cell. The code
// generators know how wide the border is, and centre-only windows fuse.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program staticOffsets(const core::Program& program);

}  // namespace halo::passes
