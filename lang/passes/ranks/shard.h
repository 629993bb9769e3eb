// Cuts the arrays of an entry into blocks of rows, one for each rank of a job.
//
//   entry main(n: i64, m: i64, steps: i64, u: [n][m]f32) -> ([n][m]f32) {
//     t: [n][m]f32 = loop (v: [n][m]f32 = u) for i < steps do {
//       w: [n][m]f32 = stencil [n][m] (window v clamp clamp {..}) ..; return w }
//     return t }
// becomes, on every rank,
//     (first, rows, smallest) = call move.block (n, 1)
//     s: [rows][m]f32 = call move.rows (first, rows, u); r: [rows][m]f32 = copy s
//     k = .. steps of a cycle, as many as half of the smallest block holds the rows of
//     t: [rows][m]f32 = loop (v: [rows][m]f32 = r) for c < cycles do {
//       (above, below, before, behind) = call move.edges (n, 1, k, false)
//       (a, b) = call move.ghost (k, above, below, before, behind, v)
//       e: [ext][m]f32 = concat (a, v, b)
//       x = loop (y: [ext][m]f32 = e) for j < min(k, steps left) do { stencil [ext][m] .. }
//       w: [rows][m]f32 = slice x[above : rows : 1][..]; return w }
//     z: [n][m]f32 = call move.whole (n, 1, t)
//     return z
//
// A strip with k rows of each neighbour is a smaller stencil of the same kind. Its outermost rows
// go wrong, one reach a step, and are dropped behind k steps (ghost zones: Meng and Skadron, IJPP
// 2011). So no engine has to know of ranks. At the ends of the array there are no ghost rows, and a
// strip ends as the array does.
//
// Requires: the shared passes (pipeline.h). Ensures: every scalar and every whole array is the same
// on all ranks, and so is each result. Float sums have the order that they have without ranks, as
// they run whole. A cell in a ghost row may fail where the array does not: the session repeats a
// call that fails as one rank.
#pragma once

#include <string>
#include <vector>

#include "lang/core/ir.h"
#include "lang/passes/ranks/plan/shard_plan.h"

namespace halo::passes {

// With `decisions`: a sentence for each array.
core::Program shard(const core::Program& program, const ShardOptions& options = {},
                    std::vector<std::string>* decisions = nullptr);

}  // namespace halo::passes
