// A store and a side table (store.h) in pages, for the many small facts of large programs. Growth
// moves no entry. A page of a table comes with its first write, so rare facts take little memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "lang/base/check.h"
#include "lang/base/id.h"

namespace halo::base {

inline constexpr size_t kPageEntries = 256;

template <typename T, typename IdType>
class PagedStore {
  using Pages = std::vector<std::vector<T>>;

 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = const T&;

    Iterator() = default;
    Iterator(const Pages& pages, size_t index) : pages_(&pages), index_(index) {}
    reference operator*() const { return (*pages_)[index_ / kPageEntries][index_ % kPageEntries]; }
    pointer operator->() const { return &**this; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) { return {*pages_, index_++}; }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    const Pages* pages_ = nullptr;
    size_t index_ = 0;
  };

  IdType add(T item) {
    if (size_ % kPageEntries == 0) pages_.emplace_back().reserve(kPageEntries);
    pages_.back().push_back(std::move(item));
    return IdType(size_++);
  }
  T& operator[](IdType id) {
    HALO_CHECK(id.index < size_, "id out of range");
    return pages_[id.index / kPageEntries][id.index % kPageEntries];
  }
  const T& operator[](IdType id) const {
    HALO_CHECK(id.index < size_, "id out of range");
    return pages_[id.index / kPageEntries][id.index % kPageEntries];
  }
  size_t size() const { return size_; }
  Iterator begin() const { return {pages_, 0}; }
  Iterator end() const { return {pages_, size_}; }
  // Drops the items from the `size`th on.
  void truncate(size_t size) {
    size_ = std::min(size_, size);
    pages_.resize((size_ + kPageEntries - 1) / kPageEntries);
    if (size_ % kPageEntries == 0) return;
    pages_.back().erase(pages_.back().begin() + static_cast<std::ptrdiff_t>(size_ % kPageEntries),
                        pages_.back().end());
  }

 private:
  Pages pages_;
  size_t size_ = 0;
};

// Grows on write; reading an unwritten id gives a default value.
template <typename T, typename IdType>
class PagedTable {
 public:
  T& operator[](IdType id) {
    const size_t page = id.index / kPageEntries;
    if (page >= pages_.size()) pages_.resize(page + 1);
    std::vector<T>& entries = pages_[page];
    if (entries.empty()) entries.resize(kPageEntries);
    return entries[id.index % kPageEntries];
  }
  const T& at(IdType id) const {
    static const T kDefault{};
    const size_t page = id.index / kPageEntries;
    if (page >= pages_.size() || pages_[page].empty()) return kDefault;
    return pages_[page][id.index % kPageEntries];
  }
  // Forgets the entries from the `size`th on.
  void truncate(size_t size) {
    const size_t pages = (size + kPageEntries - 1) / kPageEntries;
    if (pages < pages_.size()) pages_.resize(pages);
    if (pages != pages_.size() || pages == 0 || pages_.back().empty()) return;
    for (size_t i = size - (pages - 1) * kPageEntries; i < kPageEntries; ++i) {
      pages_.back()[i] = T();
    }
  }

 private:
  std::vector<std::vector<T>> pages_;
};

}  // namespace halo::base
