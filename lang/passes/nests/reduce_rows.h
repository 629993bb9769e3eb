// Reductions of flattened arrays in cells go row by row.
//
//   zss_3: [p][q]f32 = screma [p] (xss_1) map (row: [q]f32) {
//     zs: [q]f32 = screma [q] (row) map (x: f32) { .. return z }
//     return zs }
//   zs_5: [k_4]f32 = reshape [k_4] zss_3
//   s_6: f32 = screma [k_4] (zs_5) reduce f32.add 0f32
// becomes
//   s_6: f32 = screma [p] (xss_1) map (row: [q]f32) {
//     s: f32 = screma [q] (row) map (x: f32) { .. return z } reduce f32.add 0f32
//     return s } reduce f32.add 0f32
//
// The same in space, and with other inputs beside the nest, which the reduction alone reads.
// Flattened slices stay: a loop over all elements was faster (5 x 5 of a picture: 163 us to 195).
//
// Requires: floats may be added in another order (sums in pipeline.h). Ensures: only nodes in cells
// change; elements stay in their order. Those outside have dense arrays (flat_nests.h).
//
// Why: `f32.sum (flatten (tabulate_2d p p f))` wrote each cell's neighbourhood to memory.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program reduceRows(const core::Program& program);

}  // namespace halo::passes
