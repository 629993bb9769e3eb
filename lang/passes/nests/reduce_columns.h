// Reduces the columns of short rows that a map makes, all at once.
//
//   a_3: [n][2]f32 = screma [n] (xs_1) map ..                    short rows
//   t_4: [2][n]f32 = rearrange (1, 0) a_3
//   s_5: [2]f32 = screma [2] (t_4) map (c_6: [n]f32) {
//     r_7: f32 = screma [n] (c_6) reduce f32.add 0f32
//     return r_7 }
// becomes
//   (r_8: f32, r_9: f32) = screma [n] (a_3) map (row: [2]f32) { x = index row[0]; y = index row[1];
//     return x, y } reduce f32.add 0f32 reduce f32.add 0f32
//   s_5: [2]f32 = array f32 {r_8, r_9}
//
// Requires nothing. Ensures: up to 16 columns are not reduced one by one. A map of the same body
// must make the rows by short nodes, and nothing else may read these. Code around the reduction of
// a column is copied for each.
//
// Why: fuse joins the reduction with the map that makes the rows, and no row is written. Forces and
// means of vectors are such sums: `map f32.sum (transpose (map force others))`.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program reduceColumns(const core::Program& program);

}  // namespace halo::passes
