// Stores of consecutive elements, of which those at an end of an array may be outside.
#pragma once

#include <functional>

#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

struct GuardedStores {
  imp::Operand first;  // where the first element is in memory
  size_t count;
  imp::Operand all_inside;
  std::function<imp::Operand(size_t)> inside;  // of one element; asked where not all are inside

  // `count` values for consecutive elements of a buffer.
  struct Target {
    imp::BufferId buffer;
    imp::Operands values;
  };
  // Vectors where all elements are inside, else one store for each element that is.
  void store(imp::Builder& code, const std::vector<Target>& targets) const;

  // Element by element, for results that vectors do not reach.
  using StoreOne = std::function<void(size_t which, const imp::Operand& at)>;
  void each(imp::Builder& code, const StoreOne& store) const;
};

}  // namespace halo::gpu
