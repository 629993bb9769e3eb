// Elements that a loop has not written yet are those of the array it began with a copy of.
//
//   ys_2: [n]f32 = copy xs_1
//   zs_3: [n]f32 = loop (as_4: *[n]f32 = ys_2) for i_5 < n do {
//     x_6: f32 = index as_4[i_5]; ..; bs_8: [n]f32 = update as_4[i_5] = y_7; return bs_8 }
// becomes
//   ys_2: [n]f32 = copy xs_1
//   zs_3: [n]f32 = loop (as_4: *[n]f32 = ys_2) for i_5 < n do {
//     x_6: f32 = index xs_1[i_5]; ..; bs_8: [n]f32 = update as_4[i_5] = y_7; return bs_8 }
//
// Of a replicate, they are its value. The same holds of a copy before its first write, and in cells
// of a copy of it.
//
// Requires: no statement consumes the source, and the loop reads the array nowhere else
// (carry_elements). Ensures: such a loop reads no element of what it writes.
//
// Why: nothing needs the copy then (drop_fills), and reads need not wait for writes.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program readOriginals(const core::Program& program);

}  // namespace halo::passes
