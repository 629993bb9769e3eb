// Scans of tuples whose operator works on each component alone, as one scan for each.
#pragma once

#include "lang/core/ir.h"

namespace halo::gpu {

//   as, bs = screma [n] (xs) map .. scan (a1, b1, a2, b2) {
//     a = i64.add a1 a2; b = i64.max b1 b2; return a, b } (0, 0)
// becomes
//   as, bs = screma [n] (xs) map .. scan i64.add 0 scan i64.max 0
//
// in place, in nested bodies as well; so too reductions whose components may be combined in any
// order. Components that mix stay together, and so do those that are not adjacent.
//
// Why: the summands of a scan decide its schedule (scan_scatter.h): counters of several digits are
// written as tuples. A reduction of tuples would keep an order that none of its sums needs.
void splitIndependent(core::Program& program, core::Body& body);

}  // namespace halo::gpu
