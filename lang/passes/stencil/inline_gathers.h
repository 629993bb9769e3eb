// Reads elements that a map only gathers where they are used.
//
//   is: [n]i64 = iota i64 [n] 0 1
//   ys: [n]f32 = screma [n] (is) map (i) { j = i64.add i 1; y = index xs[j]; return y }
//   zs: [n]f32 = screma [n] (ys, xs) map (y, x) { z = f32.add y x; return z }
// becomes
//   zs: [n]f32 = screma [n] (is, xs) map (i, x) { j = ..; y = index xs[j]; z = ..; return z }
//
// Requires nothing. Ensures: no map reads the result of a gather of the same body and width. That
// is a map that only computes an index and reads there, from an array that nothing consumes. Rows
// are gathered alike.
// The map itself stays where others read its result.
//
// Why: `rotate` and shifts are such maps. In their readers recognise_gathers sees neighbours.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program inlineGathers(const core::Program& program);

}  // namespace halo::passes
