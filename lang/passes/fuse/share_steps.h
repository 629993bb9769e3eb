// As share_rows.h, of nodes in loops: parts of an element of step `i` that no row changes.
//
//   screma [n] (xss) map (xs) { loop .. for i < k do {
//     screma [m] (ys) map (y) { e = dear i j; .. } } }
// becomes
//   some = 0 < k && k <= 64 && k <= n && 16 <= n && m <= 2^24
//   ess: [k'][m']f32 = screma [k'] (iota k') map (i) { screma [m'] (iota m') map (j) { dear i j } }
//   screma [n] (xss) map (xs) { loop .. for i < k do {
//     screma [m] (ys, iota m) map (y, j) {
//       e = match some { true -> ess[i, j] else -> dear i j }; .. } } }
//
// with extents of 0 unless `some`: how often a loop runs is only known then, and the arrays must
// not be larger than the rows. (Twiddle factors of a Fourier transform of many rows.)
//
// Likewise of nodes further inside, and of nodes that walk over an iota that stands inside. The
// check of its size does, too, so arrays are made only where that is a size:
//
//   screma [n] (xs) map (x) { screma [m] (ys) map (y) { is = iota k
//     s = screma [k] (is) map (i) { e = dear i; .. } } }
// becomes
//   some = (16 <= n || 16 <= m) && 0 <= k && k <= 2^24
//   es: [k']f32 = screma [k'] (iota k') map (i) { e = dear i }
//   screma [n] (xs) map (x) { screma [m] (ys) map (y) { is = iota k
//     s = screma [k] (is, iota k) map (i, j) {
//       e = match some { true -> es[j] else -> dear i }; .. } } }
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::passes {

// New statements in front of the node go to `out`.
void shareSteps(core::Program& program, core::Screma& outer, std::vector<core::Stm>& out);

// To be done for outer nodes first: their arrays serve more rows.
void shareInner(core::Program& program, core::Screma& outer, std::vector<core::Stm>& out);

}  // namespace halo::passes
