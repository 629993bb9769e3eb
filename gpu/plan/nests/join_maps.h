// Nests one after another over the same cells, as one nest. Where a cell is better left whole
// (whole_cells.h), it is a whole that ends with the results used elsewhere. Nothing in between is
// stored for all cells.
//
//   bs: [n][k]f32 = screma [n] (is) map (i) { .. b: [k]f32 = loop ..; return b }
//   cs: [n]f32 = screma [n] (bs) map (x: [k]f32) { .. c: f32 = screma [k] (x) ..; return c }
// becomes
//   cs: [n]f32 = screma [n] (is) map (i) {
//     .. b: [k]f32 = loop ..; .. c: f32 = screma [k] (b) ..; return c }
//
// The pass fuse does not fuse nests whose parts are easier to make parallel. This one is for nests
// whose cells make their data from a few scalars (hasOwnData). Distributed, the joint nest is equal
// to the two. Needs: the first has no other uses, and nothing between the two reads its results or
// overwrites its inputs.
#pragma once

#include "gpu/plan/variants.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// In host code, loops and branches included; before anything is distributed.
void joinMaps(core::Program& program, core::Body& body, const Variants& variants);

// No cell of this map walks along rows of its inputs. Its inputs are scalars, and the arrays
// that it works on are its own, or the same ones for all cells.
bool hasOwnData(const core::Program& program, const core::Screma& map);

}  // namespace halo::gpu
