// A map over the windows of a padded array is a stencil. Finds maps over `slide (pad xs)` in one to
// three dimensions and writes them with a window on `xs`. Then neither the padded array nor its
// windows are ever in memory, and later passes treat both spellings alike.
//
//   ps: [m]f32 = pad [m] xs [1:1 clamp]
//   ws: [n][3]f32 = slide ps [3:1:n]
//   ys: [n]f32 = screma [n] (ws) map (w) {..}
// becomes
//   ys: [n]f32 = stencil [n] (window xs clamp {-1, 0, 1})
//     map (a, b, c) { w = array {a, b, c} .. }
//
// Needs: windows at a stride of one and as wide as the pad before, one cell, and the pad after. So
// there is one for each element (`lower` asserts that windows fit). Widths known at run time only
// give dynamic offsets. Maps over windows in two and three dimensions are perfect nests of maps.
// Ensures: statements that can fail stay where they are; only maps change. Before static_offsets
// and unroll, which split the windows' arrays.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program recogniseWindows(const core::Program& program);

}  // namespace halo::passes
