// Single elements replaced in a fresh row that is a result of the cell, as a map over the row:
//
//   t: [m]f32 = copy xs
//   ys: [m]f32 = update t[k] = v
// becomes
//   js: [m]i64 = iota i64 [m] 0i64 1i64
//   ys: [m]f32 = screma [m] (js) map (j: i64) {
//     x = index xs[j];  here = i64.eq j k;  y = select here v x
//     return y }
//
// The row is then written by many invocations (distribute.h), and once. Fresh rows are copies and
// replicates; several updates of one row are one map.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

core::Body withRowUpdates(core::Program& program, const core::Body& body);

}  // namespace halo::gpu
