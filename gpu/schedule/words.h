// Values as words of 32 bits: the unit in which they cross subgroups, workgroups and shared memory.
#pragma once

#include <cstddef>

#include "lang/prim/prim.h"

namespace halo::gpu {

inline size_t wordsOf(prim::ScalarType type) { return prim::byteSize(type) == 8 ? 2 : 1; }

}  // namespace halo::gpu
