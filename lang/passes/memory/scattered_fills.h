// An array that is read only where a scatter has written needs no values before it.
//
//   xs_1: [n]i64 = replicate [n] -1                    xs_1: [n]i64 = scratch [n]i64
//   ys_2: [n]i64 = scatter [k] (is_3, vs_4) into (xs_1 1)
//   zs_5: [k]bool = screma [k] (is_3, vs_4) map (i_6, v_7) {
//     y_8: i64 = index ys_2[i_6]; z_9: bool = i64.eq y_8 v_7; return z_9 }
//
// A place out of range is not written, and reading it fails as before.
//
// Illegal, so not done: other reads of the array, or other uses. Places that the scatter computes
// or leaves out. Rows.
//
// Requires: sort and filter are inlined (a nest may still be whole). Ensures: the same values are
// read.
//
// Why: programs remove duplicates so: each element writes its number to its place, and those that
// find it there stay. In a search by levels the array is as large as the graph, in each level.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program dropScatteredFills(const core::Program& program);

}  // namespace halo::passes
