// Loops over two axes that read some array across: neighbours in memory are neighbours along the
// outer axis, results are dense along the inner one.
//
//   for i { for j vector { out[i * n + j] = f xs[j * m + i] } }
//
// Done row by row, every line of `xs` is fetched as often as it has elements. Square tiles, which
// the code generator turns in registers, need it once: such loops are marked kVector both.
#pragma once

#include <vector>

#include "lang/imp/lower/lower_body.h"

namespace halo::imp {

inline constexpr int64_t kAcrossBlock = 64;  // of the outer axis: shared out among threads

// The loads across in the body of a loop over `outer`, which ends in a vector loop. None if the
// loops cannot be done in tiles.
std::vector<VarId> readsAcross(const Program& program, const Block& body, VarId outer);

// for i in lo .. hi { body }, in blocks of the outer axis.
void loopAcross(Builder& b, VarId i, Operand lo, Operand hi, Block body, bool parallel);

// copyArray in no loop whose iterations may run on threads: so that these may, and large arrays are
// written past the caches.
void copyAlone(Builder& builder, const Place& place, const ArrayRef& to, const ArrayRef& from);

}  // namespace halo::imp
