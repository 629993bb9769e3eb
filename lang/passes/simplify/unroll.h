// Writes out scremas over few elements that are known one by one.
//
//   ws_3: [2]f32 = array f32 {a_1, b_2}
//   s_4: f32 = screma [2] (ws_3) map (w: f32) { v: f32 = f32.mul w w; return v }
//     reduce f32.add 0f32
// becomes
//   v_5: f32 = f32.mul a_1 a_1
//   v_6: f32 = f32.mul b_2 b_2
//   t_7: f32 = f32.add 0f32 v_5
//   s_4: f32 = f32.add t_7 v_6
//
// Requires nothing. Ensures: no screma is left of a constant width up to 32 whose inputs are array
// literals, iotas or replicates. Its lambdas are scalar code. At most 512 statements come of one.
// Over values that no memory holds, such as a cell's neighbours, also of some hundreds and beside
// arrays in memory, such as weights. Maps that return rows of more than 16 elements of a nest stay,
// but for such values: invocations of their own write elements faster. So do maps of more than 16
// elements outside of nests that read memory. Scans of more than 16
// elements in a nest stay with the maps before them: they are parallel work.
//
// Why: offsets and weights of stencils are such arrays, often computed (`map (\i -> i - 1) (iota
// 3)`). A stencil's function sees its neighbourhood as one, so `f32.sum v` in it must not become a
// loop over memory in every cell. Elements run in order, so failures come in order as well.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program unroll(const core::Program& program);

}  // namespace halo::passes
