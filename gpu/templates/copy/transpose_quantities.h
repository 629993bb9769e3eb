// Extents of a copied array, which guards of schedules and the kernel ask for.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// The dimension along which elements lie together; the last one if there is none.
size_t denseDimension(const imp::ArrayRef& from);
// How many elements the dimensions from `first` on have; host.
imp::Operand runOf(imp::Builder& host, const imp::ArrayRef& from, size_t first);
// Elements of 16 bytes, where they are moved together.
int64_t perVector(prim::ScalarType type);

}  // namespace halo::gpu
