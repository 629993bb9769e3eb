// Joins a scan with the reduction of elements that are made from the values in front of them.
//
//   ends: [n]f64 = screma [n] (xs) scan (a, x) { min 10 (a + x) } 0
//   total: f64 = screma [n] (iota, xs) map (i, x) {
//     first = i == 0; k = i - 1
//     before = match first { true -> 0; else -> index ends[k] }
//     return f(before, x) } reduce op ne
// becomes
//   last, total = loop (before = 0, sum = ne) for i < n {
//     x = xs[i]; after = min 10 (before + x)
//     return after, op sum f(before, x) }
//
// Several scans of one node, reductions of it and its mapped elements come along.
//
// Illegal, so not done: an array of the first node has other uses. Or the value in front of the
// first one is not the scan's neutral element. Or operators work on rows, or a general rule forbids
// to join the two nodes (fuse.h). Or the choice may fail, or not end, in other code than the read.
// Not worth it where a node reduces in lanes (core/lane_sums.h), or has a loop in its map, which
// alone has lanes and threads (split_maps.h).
//
// Requires: fuse has run. Ensures: no work is done twice. Every checked statement still runs if and
// only if it did; those that read places in front always hold.
//
// Why: forward derivatives at kinks (lang/ad/forward/forward_recurrence.cpp) have this form. The
// engine reduces from left to right anyhow. Loops of cells run in vectors, and no array is written.
// What only unused results need is no work of the loop.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program walkScans(const core::Program& program);

}  // namespace halo::passes
