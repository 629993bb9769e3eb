// Arrays of short rows, of which an invocation makes and reads whole ones, lie by element:
//
//   (xs') = loop (xs: [n][9]f32 = xs0) for i < m do {
//     ys: [n][9]f32 = screma [n] (xs) map (x: [9]f32) { ..; y = array f32 {..}; return y }
//     return (ys) }
// becomes
//   g0: [9][n]f32 = rearrange (1, 0) xs0
//   (g') = loop (g: [9][n]f32 = g0) for i < m do {
//     xs: [n][9]f32 = rearrange (1, 0) g
//     ys: [n][9]f32 = screma [n] (xs) ..
//     h: [9][n]f32 = rearrange (1, 0) ys
//     return (h) }
//   xs': [n][9]f32 = rearrange (1, 0) g'
//
// The kernel then stores `h` itself (layout.h). Lanes read and write neighbours, where they were a
// row's stride away before. The same holds for arrays between two such nests. Rows that cells pick
// by places from data keep their elements together: one line of memory holds them all.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

void layShortRowsByElement(core::Program& program, core::Function& host);

}  // namespace halo::gpu
