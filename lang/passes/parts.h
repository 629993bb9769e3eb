// The code of an entry between two moves, as functions of their own. An engine compiles these, and
// knows of no ranks. It does know the whole sizes of which a part has shares: with them it divides
// sums in cells as one rank does. The host program of a job runs the entry (cli/distributed).
//
//   entry main(..) {
//     (first, rows, smallest) = call move.block (n, 1)
//     s = call move.rows (first, rows, u); r = copy s; v = screma [rows] (r) ..
//     z = call move.whole (n, 1, v); return z }
// becomes
//   entry main(..) {
//     (first, rows, smallest) = call move.block (n, 1)
//     s = call move.rows (first, rows, u)
//     v = call part_1 (rows, s)
//     z = call move.whole (n, 1, v); return z }
//   fn part_1(rows: i64, s: [rows]f32) -> ([rows]f32) { .. }
//
// Requires: shard (shard.h), calls inlined, but for recursive ones. Ensures: the entry holds calls,
// and loops with moves inside. Sizes stand in front of a part's parameters, and of its results if
// only those know them.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program parts(const core::Program& program);

// One part as a program of its own.
core::Program partOf(const core::Program& program, const std::string& part);

}  // namespace halo::passes
