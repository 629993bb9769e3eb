// A cheap producer of an array that a stencil has a window on, computed again for each neighbour
// instead of stored.
//
//   ys_2: [n]f32 = screma [n] (xs_1) map (x: f32) { y: f32 = f32.mul x 2f32; return y }
//   zs_3: [n]f32 = stencil [n] (window ys_2 clamp {-1, 1}) map (a, b) { .. }
// becomes
//   zs_3: [n]f32 = stencil [n] (window xs_1 clamp {-1, 1}) map (x1, x2) {
//     a: f32 = f32.mul x1 2f32; b: f32 = f32.mul x2 2f32; .. }
//
// The producer may have windows itself where their offsets and the consumer's add up exactly. On
// each axis one of the two does not move, or both wrap. (Clamping twice is not clamping the sum.)
// A copy beyond a boundary with a constant is replaced by it; `inside` is true in all cells:
//
//   zs_3: [n]f32 = stencil [n] (window ys_2 constant 0f32 {1}) map (a) { .. }
// becomes
//   inside: [n]bool = replicate [n] true
//   zs_3: [n]f32 = stencil [n] (window xs_1 clamp {1}, window inside constant false {1}) map .. {
//     y: f32 = f32.mul x 2f32; a: f32 = select i y 0f32; .. }
//
// Why: the array between costs a write and a read of memory. A few operations on neighbours that
// are in registers or in the cache cost less. Costlier neighbours are left to the engines, which do
// steps in tiles (lang/imp/schedule/lower_steps, gpu/plan/loops/iterated).
//
// Likewise elements that a stencil takes at its own cell only, while a window on another result of
// the same producer prevents their fusion:
//
//   (cs, ds) = stencil (window xs ..) map (x, y) { c = ..; d = f32.sub y x; return c, d }
//   zs = stencil (window cs .., ds) map ..
// becomes
//   cs = stencil (window xs ..) map (x, y) { c = ..; return c }
//   zs = stencil (window cs .., window xs ..) map (.., x, y) { d = f32.sub y x; .. }
#pragma once

#include "lang/passes/parallel_node.h"

namespace halo::passes {

struct Recomputed {
  ParallelNode node;
  std::vector<core::Stm> before;  // it needs these arrays
};

// The consumer with the producer in it; nothing if it is not cheap, may fail, or is not exact.
// All uses of the producer's results must be in the consumer.
std::optional<Recomputed> recomputeProducer(core::Program& program, const ParallelNode& producer,
                                            const ParallelNode& consumer);

// The consumer with the code of these mapped results of the producer in it, of which it takes its
// own cell or neighbours. Nothing if that is not cheap, may fail, or reads more arrays than vanish.
std::optional<Recomputed> recomputeElements(core::Program& program, const ParallelNode& producer,
                                            const std::vector<core::ValueId>& elements,
                                            const ParallelNode& consumer);

}  // namespace halo::passes
