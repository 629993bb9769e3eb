// The function that does for each row of flat arrays what a sort does for one. Its parameters are
// the number of all elements, the arrays of the sort, and the number of a row's elements. Lower
// adds it beside each sort of arrays of scalars.
#pragma once

#include <string>

namespace halo::core {

inline std::string rowSortOf(const std::string& sort) { return "rows." + sort; }

}  // namespace halo::core
