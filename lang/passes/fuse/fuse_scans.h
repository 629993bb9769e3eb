// Joins a scan with the scatter that it makes the places for: a loop with a running counter.
//
//   ends: [n]i64 = screma [n] (flags) scan i64.add 0
//   ys: [n]i32 = scatter [n] (ends, flags, xs) map (e, f, x) { i = f ? e - 1 : -1; return i, x }
//       into (zs 1)
// becomes
//   last, ys = loop (e = 0, * ys = zs) for i < n {
//     f = flags[i]; e' = e + f; x = xs[i]; at = f ? e' - 1 : -1
//     ys' = match 0 <= at < n { true -> ys with [at] = x; else -> ys }
//     return e', ys' }
//
// Reductions of the first node come along (the count of a filter); the last element of a scan is
// one (scan_lasts.h). The scatter may need a reduced value, as a radix sort's zeros come before its
// ones. Then reductions with a cheap map are done first, in their own node.
//
// Illegal, so not done: a scanned or mapped array of the first node has other uses, or an index
// uses all of it. Or the scatter needs a value that is costly to reduce, or overwrites an input of
// the first node. Or operators work on rows. Or a general rule forbids to join the two nodes
// (fuse.h).
//
// Requires: fuse has run, so that nodes in between have become part of one of them. Ensures: no
// work is done twice but for cheap operations; every checked statement still runs if and only if it
// did.
//
// Why: filter and partition write each element once and nothing else; unfused, two index arrays of
// eight bytes an element go through memory. For the engine that scans in sequence anyhow: a device
// has kernels for scans and scatters, and none for this loop.
#pragma once

#include <functional>
#include <optional>

#include "lang/core/ir.h"

namespace halo::passes {

core::Program fuseScans(const core::Program& program);

// The same for one body, with a statement of the caller's making instead of the loop. `join` gets
// the scan and the scatter, which may take the scan's reductions, or the map that alone reads the
// scan's elements. It gives one statement
// with the results of that, then those of the scan's reductions; or none, and they stay as they
// are.
using JoinScan =
    std::function<std::optional<core::Stm>(const core::Stm& scan, const core::Stm& consumer)>;
void joinScans(core::Program& program, const core::Function& function, core::Body& body,
               const JoinScan& join);

}  // namespace halo::passes
