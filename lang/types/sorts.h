// Sorts of the prelude for which engines may have algorithms of their own.
#pragma once

#include <string>

#include "lang/types/checked.h"

namespace halo::types {

// `radix_sort_u8` .. `radix_sort_u64` of stdlib/sort.fut: in Core they are kernels of kind `sort`,
// and nothing behind lowering asks for their names. passes/calls/inline.h says which stay in the
// end.
inline bool isSort(const Def& def) {
  return def.is_prelude && def.name.starts_with("radix_sort_u");
}

// The prelude's function that does the same for rows: the number of their elements is its last
// parameter.
inline std::string rowSortOf(const Def& sort) {
  return "radix_sort_rows_u" + sort.name.substr(std::string("radix_sort_u").size());
}

}  // namespace halo::types
