// A map nest whose cells have several parallel statements, as one nest for each of them. Statements
// that would run one after another in an invocation then fill the device.
//
//   ys: [n][m]f32 = screma [n] (xss) map (xs: [m]f32) {
//     s: f32 = screma [m] (xs) reduce f32.add 0f32
//     c: [m]f32 = screma [m] (xs) scan f32.mul 1f32
//     zs: [m]f32 = screma [m] (c) map (x: f32) { y = f32.div x s; return y }
//     return zs }
// becomes
//   ss: [n]f32 = screma [n] (xss) map (xs) { s = screma [m] (xs) reduce ..; return s }
//   cs: [n][m]f32 = screma [n] (xss) map (xs) { c = screma [m] (xs) scan ..; return c }
//   ys: [n][m]f32 = screma [n] (cs, ss) map (c, s) { zs = screma [m] (c) map ..; return zs }
//
// Sequential code between parallel statements becomes a map of its own; cheap total
// code is computed again wherever it is needed. A loop with parallel statements inside changes
// places with the nest if all cells run it equally often (interchange.h). So does a branch if all
// cells take the same one. `scatter`, `hist` and `concat` run over all cells at once. Sizes that
// differ from cell to cell stay in their cell. Cells with few elements are better left whole: the
// caller chooses between the two by `widths` and `inner`. (Blelloch's flattening for regular nests;
// Henriksen et al., PPoPP 2019.)
#pragma once

#include <optional>
#include <vector>

#include "gpu/plan/variants.h"
#include "lang/core/ir.h"

namespace halo::gpu {

struct Distributed {
  std::vector<core::Stm> stms;  // these statements take the place of the nest
  core::Operands widths;        // of the nest
  // Extents of each parallel statement of a cell; empty if the host does not know them all.
  std::vector<core::Operands> inner;
  // A loop changed places with the nest: with cells enough, the nest as it was is faster.
  bool has_loop = false;
  // A histogram whose bins take their elements in order: few cells share all its elements. Many
  // have their own bins each, in registers or in memory.
  enum class OrderedBins : uint8_t { kNone, kPrivate, kMemory };
  OrderedBins ordered_bins = OrderedBins::kNone;
  // Cells are given nothing to walk along (join_maps.h).
  bool has_own_data = false;
  // Arrays go from one statement of a cell to another, not numbers alone.
  bool passes_arrays = false;
  // Extents of each row that a cell returns; neighbouring invocations would write them at large
  // strides.
  std::vector<core::Operands> rows;
};

// Nothing if the nest is one parallel statement already, or has none.
std::optional<Distributed> distribute(core::Program& program, const core::Stm& nest,
                                      const Variants& variants);

// Does a cell of this map do anything that is worth more than one invocation?
bool hasParallelWork(core::Program& program, const core::Lambda& map, const Variants& variants);

}  // namespace halo::gpu
