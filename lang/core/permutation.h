// Permutations of axes, as those of Rearrange.
#pragma once

#include <cstddef>
#include <vector>

namespace halo::core {

// Of a rearrangement, the one that undoes it.
inline std::vector<int> inverse(const std::vector<int>& permutation) {
  std::vector<int> back(permutation.size());
  for (size_t k = 0; k < permutation.size(); ++k) {
    back[static_cast<size_t>(permutation[k])] = static_cast<int>(k);
  }
  return back;
}

}  // namespace halo::core
