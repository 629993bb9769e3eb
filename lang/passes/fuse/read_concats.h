// Maps over concatenations read the parts.
//
//   ys_4: [m]f32 = slice xs_1[0:m:1]
//   zs_5: [n]f32 = concat [n] (as_2, ys_4)                    as_2: [1]f32
//   ws_6: [n]f32 = screma [n] (zs_5) map (z: f32) { .. }
// becomes
//   is_7: [n]i64 = iota i64 [n] 0 1
//   ws_6: [n]f32 = screma [n] (is_7) map (i: i64) {
//     c = i64.lt i 1
//     z = match c { true -> { a = index as_2[i]; return a } else -> { .. xs_1[i - 1] .. } }
//     .. }
//
// Only arrays of numbers whose parts exist in any case: literals, parameters, arrays from outside,
// views of such, fills. Everything that reads the concatenation is a map of the same body.
//
// Requires nothing. Ensures: no check is added or lost, and no part is consumed in between.
//
// Why: rows with copies of their edges are the way to write a neighbour without an index. Each one
// cost a launch for every part, and memory three times.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program readConcats(const core::Program& program);

}  // namespace halo::passes
