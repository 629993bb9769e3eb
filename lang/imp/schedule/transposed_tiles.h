// Loops over two axes with transposed loads: neighbours in memory are neighbours along the outer
// axis, while results are dense along the inner one.
//
//   for i { for j vector { out[i * n + j] = f xs[j * m + i] } }
// becomes
//   for block { for i vector { for j vector { out[i * n + j] = f xs[j * m + i] transposed } } }
//
// Done row by row, every cache line of `xs` is fetched as often as it has elements. Square tiles
// fetch it once; the code generator transposes them in registers. The loads carry the decision.
#pragma once

#include <vector>

#include "lang/imp/lower/lower_body.h"

namespace halo::imp {

inline constexpr int64_t kTransposedBlock = 64;  // of the outer axis: shared out among threads

// The transposed loads in the body of a loop over `outer`, which ends in a vector loop. None if the
// loops cannot be done in tiles.
std::vector<VarId> transposedLoads(const Program& program, const Block& body, VarId outer);

// Those of the loop that are marked.
std::vector<VarId> markedTransposed(const For& loop);

// The loop with marks at `loads`, in blocks of its axis. `parallel`: blocks may run on threads.
void appendTransposedTiles(Builder& b, For loop, const std::vector<VarId>& loads, bool parallel);

// copyArray in no loop whose iterations may run on threads: so that these may, and large arrays are
// written past the caches.
void copyAlone(Builder& builder, const LoweringTarget& target, const ArrayRef& to,
               const ArrayRef& from);

}  // namespace halo::imp
