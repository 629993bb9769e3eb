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
// Parts are in memory whatever makes them. Elements of literals of one element, of fills and of
// slices are read at their source. All readers of the concatenation, or of consecutive rows of it
// (a slice), are maps of the same body. Where its elements are rows, maps in these read them.
// A row of numbers that a cell of a map returns becomes a map itself, which others join.
//
// Requires nothing. Ensures: no check is added or lost; no part, and no row that a part repeats, is
// consumed in between.
//
// Why: rows with copies of their edges are the way to write a neighbour without an index, and
// `[0] ++ scan (+) 0 xs` is the way to write sums of windows. Each concatenation cost a launch for
// every part, and memory three times.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program readConcats(const core::Program& program);

}  // namespace halo::passes
