// A map from ids in one flat table: for facts of one definition, which come by the hundred and are
// forgotten together. A node of std::unordered_map costs an allocation for each of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lang/base/id.h"

namespace halo::base {

template <typename IdType, typename T>
class IdMap {
 public:
  // Valid until the next insertion.
  T* find(IdType id) {
    if (entries_.empty()) return nullptr;
    Entry& entry = entries_[placeOf(id)];
    return entry.id == id ? &entry.value : nullptr;
  }
  const T* find(IdType id) const { return const_cast<IdMap*>(this)->find(id); }
  bool contains(IdType id) const { return find(id) != nullptr; }

  // False: it has a value already, which stays.
  bool insert(IdType id, T value) {
    if (2 * (size_ + 1) > entries_.size()) grow();
    Entry& entry = entries_[placeOf(id)];
    if (entry.id == id) return false;
    entry = {id, std::move(value)};
    ++size_;
    return true;
  }
  void set(IdType id, T value) {
    if (T* place = find(id)) {
      *place = std::move(value);
    } else {
      insert(id, std::move(value));
    }
  }
  void clear() {
    if (size_ > 0) std::fill(entries_.begin(), entries_.end(), Entry());
    size_ = 0;
  }
  size_t size() const { return size_; }

 private:
  struct Entry {
    IdType id;
    T value{};
  };

  // Of the id, or of the free entry for it. Ids are scattered: most are runs of neighbours, which
  // would fall on each other.
  size_t placeOf(IdType id) const {
    constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;
    size_t place = (id.index * kGolden >> 32) & (entries_.size() - 1);
    while (entries_[place].id.valid() && entries_[place].id != id) {
      place = (place + 1) & (entries_.size() - 1);
    }
    return place;
  }
  void grow() {
    // Most definitions are short. Blocks of some hundred bytes are the cheap ones of a heap.
    constexpr size_t kFirst = 16;
    std::vector<Entry> old(entries_.empty() ? kFirst : 2 * entries_.size());
    std::swap(old, entries_);
    for (Entry& entry : old) {
      if (entry.id.valid()) entries_[placeOf(entry.id)] = std::move(entry);
    }
  }

  std::vector<Entry> entries_;  // a power of two, at most half of them taken
  size_t size_ = 0;
};

}  // namespace halo::base
