// Elements that a loop overwrites one after another need no values before it.
//
//   xs_2: [n]f32 = replicate [n] v_1                 xs_2: [n]f32 = scratch [n]f32
//   ys_3: [n]f32 = loop (zs_4: *[n]f32 = xs_2) for k_5 < n do {
//     ..; ws_6: [n]f32 = update zs_4[k_5] = x_7; return ws_6 }
//
// In cells, where a loop leaves out up to four elements on either side, the fill writes only those.
//
// Requires nothing. Ensures: no replicate or copy is left for a loop that does nothing with it but
// write one element after another, forwards or backwards.
//
// Why: results that an invocation makes element by element lie in memory; they were stored twice.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program dropFills(const core::Program& program);

}  // namespace halo::passes
