// Joins parallel nodes that pass arrays to each other, so that elements stay in registers.
//
//   ys_2: [n]f32 = screma [n] (xs_1) map (x: f32) { y: f32 = f32.mul x x; return y }
//   s_3: f32 = screma [n] (ys_2) reduce f32.add 0f32
// becomes
//   s_3: f32 = screma [n] (xs_1) map (x: f32) { y: f32 = f32.mul x x; return y }
//     reduce f32.add 0f32
//
// Vertical: the consumer takes a mapped result of the producer as an input (map-map, map-reduce,
// map-scan, map-scatter, stencil-map, stencil-reduce). So also map-stencil where the window is the
// centre only. A result that others use as well stays as a result of the joint node. Horizontal:
// two nodes over the same space that share an input and do not depend on each other; two scatters,
// too. Cheap producers of arrays with windows are computed again for each neighbour, cheap results
// beside them for the cell itself (recompute.h). In all bodies, outer ones first, since joining two
// nests makes their inner nodes neighbours.
//
// Illegal, so not done: the consumer reads other elements of the array than its own (and the
// producer is not cheap). Or something in between depends on the producer and the consumer on it.
// Or an array that the producer reads is consumed in between, or by the consumer (a scatter into
// it). Or a statement would cross a loop that may not end, or overtake a check that it may rely on.
//
// Requires: checks not yet proven by order (runs before prove_bounds). Ensures: no work is done
// twice but for a few operations of recomputed producers; every checked statement still runs if and
// only if it did.
//
// Why: array programs are bound by memory, each array that is not written and read back is saved
// time. LLVM fuses no loops and Vulkan no kernels. Rules: Henriksen et al. for Futhark; for
// scatter, Serup 2016.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program fuse(const core::Program& program);

}  // namespace halo::passes
