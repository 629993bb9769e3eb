// Perfect nests of maps become flat maps where parallel nodes take their results flattened.
//
//   zs_3: [n][m]i32 = screma [n] (xss_1) map (row: [m]i32) {
//     z: [m]i32 = screma [m] (row) map (x: i32) { .. return y }
//     return z }
//   k_4: i64 = i64.mul n m
//   fs_5: [k_4]i32 = reshape [k_4] zs_3
//   s_6: i32 = screma [k_4] (fs_5) reduce i32.add 0i32
// becomes
//   k_7: i64 = i64.mul n m
//   xs_8: [k_7]i32 = reshape [k_7] xss_1
//   fs_9: [k_7]i32 = screma [k_7] (xs_8) map (x: i32) { .. return y }
//   zs_3: [n][m]i32 = reshape [n][m] fs_9
//
// and fuse joins the map with the reduction. The inputs are dense in row-major order. Where cells
// want their positions or an element for each row, and only reductions and scans take the result,
// each cell divides its number (divided_nest.h).
//
// Runs behind the first fuse: nests that pass rows to each other are one by then. Ensures: only
// nests with such a result change.
//
// Why: `or (flatten (map2 (map2 (!=)) as bs))` and `f32.sum (flatten (tabulate_2d n m f))` wrote
// their values to memory.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program flatNests(const core::Program& program);

}  // namespace halo::passes
