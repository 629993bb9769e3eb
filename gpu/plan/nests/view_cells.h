// Nests whose cells only look at their rows in another way, as views of the whole arrays:
//
//   ys: [n][k]f32 = screma [n] (xss) map (xs: [a][b]f32) {
//     t: [b][a]f32 = rearrange (1, 0) xs
//     y: [k]f32 = reshape [k] t; return y }
// becomes
//   ts: [n][b][a]f32 = rearrange (0, 2, 1) xss
//   rs: [n][k]f32 = reshape [n][k] ts
//   ys: [n][k]f32 = copy rs                      // which remove_copies drops where no use can tell
//
// Why: an invocation that has a whole row to copy reads and writes it element by element.
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// Nothing if a cell does more, or makes an array of a size of its own.
std::vector<core::Stm> viewCells(core::Program& program, const core::Stm& nest);

}  // namespace halo::gpu
