// A store owns the nodes of one kind and hands out their ids. A side table maps ids to facts that a
// later phase found out.
#pragma once

#include <utility>
#include <vector>

#include "lang/base/check.h"
#include "lang/base/id.h"

namespace halo::base {

template <typename T, typename IdType>
class Store {
 public:
  IdType add(T item) {
    items_.push_back(std::move(item));
    return IdType(items_.size() - 1);
  }
  T& operator[](IdType id) {
    HALO_CHECK(id.index < items_.size(), "id out of range");
    return items_[id.index];
  }
  const T& operator[](IdType id) const {
    HALO_CHECK(id.index < items_.size(), "id out of range");
    return items_[id.index];
  }
  size_t size() const { return items_.size(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  std::vector<T> items_;
};

// Grows on write; reading an unwritten id gives a default value.
template <typename T, typename IdType>
class SideTable {
 public:
  T& operator[](IdType id) {
    if (id.index >= items_.size()) items_.resize(id.index + 1);
    return items_[id.index];
  }
  const T& at(IdType id) const {
    static const T kDefault{};
    return id.index < items_.size() ? items_[id.index] : kDefault;
  }

 private:
  std::vector<T> items_;
};

}  // namespace halo::base
