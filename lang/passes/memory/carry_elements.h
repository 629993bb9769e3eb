// Elements that one iteration of a loop writes and one of the next three reads are carried as
// scalars.
//
//   zs_9: [n]f32 = loop (ys_3: *[n]f32 = xs_1) for i_4 < m do {
//     a_5: f32 = index ys_3[i_4]; ..
//     t_7: i64 = i64.add i_4 1i64
//     ys_8: [n]f32 = update ys_3[t_7] = b_6; return ys_8 }
// becomes
//   c_10: f32 = match .. { true -> { x_11 = index xs_1[0]; return x_11 } else -> { return 0 } }
//   (zs_9: [n]f32, _) = loop (ys_3: *[n]f32 = xs_1, a_5: f32 = c_10) for i_4 < m do {
//     ..; ys_8: [n]f32 = update ys_3[t_7] = b_6; return ys_8, b_6 }
//
// A loop of a cell that carries such an element also carries those that it only reads: `xs[i - 1]`,
// where the iteration before has read `xs[i]`.
//
// Requires: loops of scalar code whose reads are proven. Each iteration writes one element, whose
// place moves by a constant (prove_bounds, sink_updates). Ensures: the same elements; no read is
// left of what the loop wrote up to three iterations before.
//
// Why: the next iteration would wait for memory, on a GPU for a thousand cycles. Arrays that are no
// longer read need no values before the loop (drop_fills).
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program carryElements(const core::Program& program);

}  // namespace halo::passes
