// The concatenated fronts of two arrays that one scatter fills are one array that it fills.
//
//   hs_1: [n]t = scratch [n]t;  os_2: [n]t = scratch [n]t
//   (as_3: [n]t, bs_4: [n]t) = scatter [n] (fs_5, es_6, xs_7) map (f, e, x) {
//     p = match f { true -> { .. return a } else -> { return -1 } }
//     q = match f { true -> { return -1 } else -> { .. return b } }
//     return p, x, q, x } into (hs_1 1, os_2 1)
//   front_8: [k]t = slice as_3[0:k:1];  back_9: [m]t = slice bs_4[0:m:1]
//   cs_10: [n]t = concat [n] (front_8, back_9)
// becomes
//   ds_11: [n]t = scratch [n]t
//   (cs_10: [n]t) = scatter [n] (fs_5, es_6, xs_7) map (f, e, x) {
//     r = match f { true -> { .. return a < k ? a : -1 }
//       else -> { .. return 0 <= b ? k + b : -1 } }
//     return r, x } into (ds_11 1)
//
// Illegal, so not done: other uses of the arrays or of their fronts; both places written for one
// element; a first length that is not known yet where the scatter stands. Rows.
//
// Requires: fuse has made one scatter of the two. Ensures: the same values, and no place of the
// array is written twice that was not before.
//
// Why: `let (as, bs) = partition p xs in as ++ bs` is a step of a radix sort as programs write it.
// Both parts went through memory once more, and the host waited for the length of the first one.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program joinFronts(const core::Program& program);

}  // namespace halo::passes
