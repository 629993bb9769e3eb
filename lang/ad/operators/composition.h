// Affine maps of a few numbers and their composition, the operator of scans for linear recurrences
// such as `t_i = c_i + J_i t_(i-1)`.
#pragma once

#include "lang/ad/emit.h"
#include "lang/ad/operators/sparse.h"

namespace halo::ad {

// On the numbers of c, then the entries of J: the map on the left first. c + J c_left, J J_left.
Lambda composition(Emitter& e, ScalarType type, const SparseMatrix& matrix);
Operands identity(Emitter& e, ScalarType type, const SparseMatrix& matrix);

}  // namespace halo::ad
