// A row that a cell's branch picks among rows that are there, read element by element:
//
//   r: [m]f32 = match b { true -> { return xs }  else -> { t: [m]f32 = index yss[i];  return t } }
//   zs: [m]f32 = screma [m] (r, ws) map (x: f32, w: f32) { y = index r[k]; .. }
// becomes
//   js: [m]i64 = iota i64 [m] 0i64 1i64
//   zs: [m]f32 = screma [m] (js, ws) map (j: i64, w: f32) {
//     x = match b { true -> { x1 = index xs[j];  return x1 }  else -> { .. } }
//     y = match b { true -> { y1 = index xs[k];  return y1 }  else -> { .. } }
//     .. }
//
// An invocation would copy the row otherwise, or a kernel of its own. Branches that all cells take
// alike stay, since the host picks their row without a copy.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

// In the cells of all nests of the host code.
void readChosenRows(core::Program& program, core::Body& host);

}  // namespace halo::gpu
