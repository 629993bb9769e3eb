// Takes maps with loops out of scatters, histograms and reductions of scalars (of these, maps
// without other nodes, or with loops that run in sequence).
//
//   hs: [k]f32 = hist [n] (xs, ys) map (x: [d]f32, y: f32) { b = loop .. x ..; return b, y }
//       op (zs) rank 1 f32.add 0
// becomes
//   bs: [n]i64 = screma [n] (xs) map (x: [d]f32) { b = loop .. x ..; return b }
//   hs: [k]f32 = hist [n] (bs, ys) map (b: i64, y: f32) { return b, y } op (zs) rank 1 f32.add 0
//
// Requires: nothing fuses any more. Ensures: the map's results are parameters, values from outside
// or constants, unless it makes rows, which are left where they are.
//
// Why: for the engine that scatters and counts one element after the other. Iterations of a map may
// run in lanes and on several threads; beside loops in it, an array of its results costs nothing.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program splitMaps(const core::Program& program);

// The same for scans, of maps with loops or long code:
//
//   ends: [n]i64 = screma [n] (xs) map (x: f32) { k = loop .. x ..; return k } scan i64.add 0
// becomes
//   ks: [n]i64 = screma [n] (xs) map (x: f32) { k = loop .. x ..; return k }
//   ends: [n]i64 = screma [n] (ks) map (k: i64) { return k } scan i64.add 0
//
// Why: a GPU scans short code in one pass. With loops it has three launches, two of which compute
// all elements.
core::Program splitScans(const core::Program& program);

}  // namespace halo::passes
