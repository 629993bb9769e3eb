// Sorts of the prelude for which engines may have algorithms of their own.
#pragma once

#include "lang/types/checked.h"

namespace halo::lower {

// `radix_sort_u8` .. `radix_sort_u64` of stdlib/sort.fut: they stay functions, kernels of kind
// scatter that move elements to where they belong. passes/inline says which stay in the end.
inline bool isSort(const types::Def& def) {
  return def.is_prelude && def.name.starts_with("radix_sort_u");
}

}  // namespace halo::lower
