// Two levels of maps whose results are read by columns change places.
//
//   ys: [n][m]f32 = screma [n] (xss, ws) map (xs: [m]f32, w: f32) {
//     y: [m]f32 = screma [m] (xs, ms) map (x: f32, e: f32) { .. x e w ..; return z }; return y }
//   columns: [m][n]f32 = rearrange (1, 0) ys
//   sums: [m]f32 = screma [m] (columns) map (column: [n]f32) { .. reduce over column .. }
// becomes
//   turned: [m][n]f32 = rearrange (1, 0) xss
//   columns: [m][n]f32 = screma [m] (turned, ms) map (xs: [n]f32, e: f32) {
//     y: [n]f32 = screma [n] (xs, ws) map (x: f32, w: f32) { .. x e w ..; return z }; return y }
//   sums: [m]f32 = screma [m] (columns) map ..
//
// Needs: only such readers, maps over all columns, use the results of the nest. Its cells are
// scalar code. The few operations outside of the inner level are cheap, as each cell repeats them.
// Ensures: each cell runs as before.
//
// Why: `fuse` then joins the nest with its reader, and the array between them is gone.
// `interchange` makes such readers of sums of rows.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program interchangeNests(const core::Program& program);

}  // namespace halo::passes
