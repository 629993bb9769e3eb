// One id for equal nodes: a hash table of ids; the nodes themselves are in the program's stores.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/types/checked.h"

namespace halo::types {

uint64_t hashOf(const TypeNode& node);
uint64_t hashOf(const SizeNode& node);
bool isSame(const TypeNode& a, const TypeNode& b);
bool isSame(const SizeNode& a, const SizeNode& b);

// Open addressing: a slot is taken or ends the search.
template <typename Id>
class InternTable {
 public:
  // The id with this hash for which `is_same` holds, else the one that `make` makes.
  template <typename IsSame, typename Make>
  Id findOrMake(uint64_t hash, IsSame&& is_same, Make&& make) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    size_t place = hash & (slots_.size() - 1);
    for (; slots_[place].id.valid(); place = (place + 1) & (slots_.size() - 1)) {
      if (slots_[place].hash == hash && is_same(slots_[place].id)) return slots_[place].id;
    }
    ++count_;
    return (slots_[place] = {hash, make()}).id;
  }

 private:
  struct Slot {
    uint64_t hash = 0;
    Id id;
  };

  void grow() {
    constexpr size_t kFewest = 64;  // a power of two, as all sizes are
    std::vector<Slot> old(slots_.empty() ? kFewest : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (!slot.id.valid()) continue;
      size_t place = slot.hash & (slots_.size() - 1);
      while (slots_[place].id.valid()) place = (place + 1) & (slots_.size() - 1);
      slots_[place] = slot;
    }
  }

  std::vector<Slot> slots_;
  size_t count_ = 0;
};

}  // namespace halo::types
