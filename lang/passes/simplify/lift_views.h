// Views that cells of a nest around a scan make of their rows, as views of the whole arrays:
//
//   zs: [a][n][m]f32 = screma [a] (xs) map (x: [n][m]f32) {
//     t: [m][n]f32 = rearrange (1, 0) x
//     s: [m][n]f32 = screma [m] (t) map (column: [n]f32) { .. scan ..; return c }
//     z: [n][m]f32 = rearrange (1, 0) s
//     return z }
// becomes
//   ts: [a][m][n]f32 = rearrange (0, 2, 1) xs
//   ss: [a][m][n]f32 = screma [a] (ts) map (t: [m][n]f32) { s = screma [m] (t) ..; return s }
//   zs: [a][n][m]f32 = rearrange (0, 2, 1) ss
//
// Runs when nodes have been joined: a view between two of them would prevent their fusion. Ensures:
// only nests that end in a scan change; consumption stays as it was.
//
// Why: the code generator of the scan sees how its elements lie in memory. The results can be laid
// out like them, so that the view behind costs nothing (gpu/plan/layout).
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program liftViews(const core::Program& program);

}  // namespace halo::passes
