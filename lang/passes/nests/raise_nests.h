// Gives map nests and flat reductions beside a stencil the stencil's index space.
//
//   ys_2: [n][m]f32 = stencil [n][m] (window xs_1 clamp clamp {..}) map ..
//   zs_3: [n][m]f32 = screma [n] (ys_2) map (row: [m]f32) {
//     z: [m]f32 = screma [m] (row) map (y: f32) { .. return v }
//     return z }
//   fs_4: [k]f32 = reshape [k] zs_3
//   s_5: f32 = screma [k] (fs_4) reduce f32.add 0f32
// becomes
//   zs_3: [n][m]f32 = stencil [n][m] (ys_2) map (y: f32) { .. return v }
//   s_5: f32 = stencil [n][m] (zs_3) reduce f32.add 0f32
//
// and fuse makes one node of all three. A nest is perfect: nothing but the inner map, whose inputs
// are the rows. A reduction is one over whole arrays, flattened in row-major order, as a stencil's
// reductions are.
//
// Requires nothing. Ensures: only nodes that take from or give to a stencil of the same space (or
// to one that does) change shape. Runs before fuse.
//
// Why: a time step with a residual norm is a stencil, a nest and a flat reduction in source text.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program raiseNests(const core::Program& program);

}  // namespace halo::passes
