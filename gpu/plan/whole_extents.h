// Kernels over a rank's share of an extent (core::Function::shares) get the whole extent as well:
//
//   entry part_1(n, rows, m, xs: [rows][m]f32) shares (rows of n) {
//     ys = call part_1_1 (rows, m, xs) .. }
//   kernel part_1_1 [rows][m] reduce (rows, m, xs) ..
// becomes
//   ys = call part_1_1 (n, rows, m, xs)
//   kernel part_1_1 [rows][m] of n reduce (n, rows, m, xs) ..
//
// Schedules divide the sums of a row by the number of all rows, so that each has the order that it
// has on one rank.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

void addWholeExtents(core::Program& program);

}  // namespace halo::gpu
