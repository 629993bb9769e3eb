// Histograms of bytes and 16-bit integers that begin with equal bins count in words.
//
//   zs_2: [9]u8 = replicate [9] 0u8
//   hs_3: [9]u8 = hist [n] (is_1) map (i: i64) { return i, 1u8 } op (zs_2) rank 1 u8.add 0u8
// becomes
//   zs_4: [9]u32 = replicate [9] 0u32
//   ws_5: [9]u32 = hist [n] (is_1) map (i: i64) { return i, 1u32 } op (zs_4) rank 1 u32.add 0u32
//   hs_3: [9]u8 = screma [9] (ws_5) map (w: u32) { h: u8 = u8.of_u32 w; return h }
//
// For + min max & | ^ and up to 2^16 bins, a number that is known: the low bits of the result are
// those of the narrow operator. Ensures: only such histograms change.
//
// Why: devices update words in one step, and no narrower integers. Bins of bytes were combined in
// rounds of a workgroup, in which each element finds out who else wants its bin.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program widenHists(const core::Program& program);

}  // namespace halo::passes
