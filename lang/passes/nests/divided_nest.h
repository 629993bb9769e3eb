// A nest of maps whose cells want their positions, or elements of arrays with fewer axes, as one
// map. Each cell divides its number.
//
//   zss_5: [n][m]f32 = screma [n] (is_1, xss_2) map (i: i64, row: [m]f32) {
//     zs: [m]f32 = screma [m] (js_3, row) map (j: i64, x: f32) { .. return z }
//     return zs }
// becomes
//   xs_7: [k_6]f32 = reshape [k_6] xss_2
//   zs_9: [k_6]f32 = screma [k_6] (cells_8, xs_7) map (cell: i64, x: f32) {
//     i: i64 = i64.machine_div cell m
//     j: i64 = i64.machine_rem cell m
//     .. return z }
//   zss_5: [n][m]f32 = reshape [n][m] zs_9
#pragma once

#include <unordered_set>

#include "lang/core/ir.h"
#include "lang/passes/nests/gather_nest.h"

namespace halo::passes {

// Appends it. False: the statement is no nest of scalar code, or neighbouring cells read elements
// far from each other. `strided`: arrays whose elements do not lie one after another
// (dense_rows.h).
bool appendDivided(core::Program& program, const core::Stm& stm, const Outside& iotas,
                   const std::unordered_set<core::ValueId>& strided, std::vector<core::Stm>& to);

}  // namespace halo::passes
