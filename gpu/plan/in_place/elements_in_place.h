// Elements of arrays that kernels read where they lie.
#pragma once

#include <unordered_set>

#include "lang/core/ir.h"

namespace halo::gpu {

// Of the elements that stay on the device, those that need no copy:
//
//   piv = index a[k, k]                         call main_3 reads a[k, k] itself
//   col = call main_3 (n, k, piv, a)
//
// Until the last kernel that wants the element, nothing replaces it or gives its array back. That
// kernel may itself store a part of the array, if the element is outside of it.
std::unordered_set<core::ValueId> elementsInPlace(const core::Program& planned,
                                                  const core::Function& host,
                                                  const std::unordered_set<core::ValueId>& staying);

}  // namespace halo::gpu
