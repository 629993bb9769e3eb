// Where the payloads of sum types live: the one layout that all engines and their interfaces share.
#include "lang/types/checked.h"

namespace halo::types {

namespace {

constexpr size_t kFirstArrayKey = 1000;  // above all scalar types

}  // namespace

std::vector<std::vector<size_t>> slotKeys(const std::vector<std::vector<SlotLeaf>>& payloads) {
  std::vector<std::vector<size_t>> keys;
  size_t next = kFirstArrayKey;
  for (const std::vector<SlotLeaf>& payload : payloads) {
    keys.emplace_back();
    for (const SlotLeaf& leaf : payload) {
      keys.back().push_back(leaf.is_array ? next++ : static_cast<size_t>(leaf.scalar));
    }
  }
  return keys;
}

SumLayout layoutOf(const std::vector<std::vector<size_t>>& keys) {
  SumLayout layout;
  for (const std::vector<size_t>& payload : keys) {
    std::vector<bool> taken(layout.slots.size());
    layout.slot_of_leaf.emplace_back();
    for (const size_t key : payload) {
      size_t slot = 0;
      while (slot < layout.slots.size() && (taken[slot] || layout.slots[slot] != key)) ++slot;
      if (slot == layout.slots.size()) {
        layout.slots.push_back(key);
        taken.push_back(false);
      }
      taken[slot] = true;
      layout.slot_of_leaf.back().push_back(slot);
    }
  }
  return layout;
}

std::optional<prim::ScalarType> tagType(size_t constructors) {
  if (constructors <= 1) return std::nullopt;
  return constructors <= 256 ? prim::ScalarType::kU8 : prim::ScalarType::kU16;
}

}  // namespace halo::types
