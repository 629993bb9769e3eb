// Moves invariant statements out of lambdas and loops.
//
//   ys_3: [n]f32 = screma [n] (xs_1) map (x_4: f32) {
//     s_5: f32 = screma [m] (ws_2) reduce f32.add 0f32
//     y_6: f32 = f32.div x_4 s_5
//     return y_6 }
// becomes
//   s_5: f32 = screma [m] (ws_2) reduce f32.add 0f32
//   ys_3: [n]f32 = screma [n] (xs_1) map (x_4: f32) { y_6: f32 = f32.div x_4 s_5; return y_6 }
//
// Requires nothing. Ensures: no statement stands in a lambda or loop that depends on nothing bound
// there and could run before it. Left inside: code that may fail or not end (the space may be
// empty) and reads of elements. A node leaves whose checks hold by its own conditions. Views that
// may lie outside of their arrays and divisions stay too (their proof may lie in there). So do
// arrays of sizes that only a check in there makes sizes (`iota n` of an n that may be negative, or
// huge). So do fresh arrays that are consumed, but for those of a histogram that moves with them.
// So does everything under a match (it may not run at all). Code is large if its arrays or index
// spaces are larger by a factor than all arrays in front of a loop. Such code leaves a loop that
// may have no iteration in a branch together with it (guarded_loops.h). If it may leave loops
// around that one as well, the branch is around the outermost of these, which decides alone; only a
// loop of few iterations keeps it. Tables of cells leave an empty map all the same.
// In a cell, a node over a known number of elements runs, so reads and divisions leave it that
// stand behind no check in it. Checks of sizes leave bodies that run a known number of times, as
// checks that hold if that number is 0:
//
//   ys_3: [k]f32 = screma [k] (xs_1) map (x_4: f32) { assert ok_5 H7005 (n_2) @1:9; .. }
// becomes
//   t_6: bool = i64.le k 0; t_7: bool = bool.or t_6 ok_5; assert t_7 H7005 (n_2) @1:9
//   ys_3: [k]f32 = screma [k] (xs_1) map (x_4: f32) { .. }
//
// Why: a reduction inside a map is asymptotic; LLVM hoists scalars only, and GLSL compilers across
// invocations not even those.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program hoist(const core::Program& program);

// Before fuse: the same, but a node that only converts numbers stays in a loop with the one node
// that walks over them. Fuse lets that node convert them itself: shorter ones are read.
//
//   loop .. { is_2: [n]i64 = screma [n] (xs_1) map (x) { i = i64.of_i32 x; return i }
//             hs_4: [k]i32 = hist [n] (is_2) .. }
core::Program hoistEarly(const core::Program& program);

}  // namespace halo::passes
