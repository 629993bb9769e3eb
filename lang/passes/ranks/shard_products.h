// Products of matrices whose rows `shard` cuts, for an engine that sums cells by tiles:
//
//   c: [n][p]f32 = screma [n] (a) map (row: [m]f32) {
//     r: [p]f32 = screma [p] (b) map (column: [m]f32) {
//       s: f32 = screma [m] (row, column) map {..} reduce f32.add 0f32; .. return s }
//     return r }
#pragma once

#include <functional>
#include <optional>

#include "lang/core/ir.h"
#include "lang/passes/ranks/plan/shard_plan.h"

namespace halo::passes {

// The sizes from which on the engine makes the product in tiles (core/product_tiles.h). Nothing if
// the node is no such product, or a size is not known at the start of the entry.
std::optional<std::vector<ShardPlan::LeastWork>> tiledProduct(
    const core::Program& program, const core::Screma& node,
    const std::function<bool(const core::Operand&)>& is_known);

}  // namespace halo::passes
