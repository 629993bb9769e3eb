// Extents or strides of an array, outermost first. Up to four live inside the object, because row
// views are made once per element of a nested map: they must allocate little.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace halo::interp {

class Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<int64_t> items) {
    for (int64_t item : items) push(item);
  }
  explicit Dims(std::span<const int64_t> items) {
    for (int64_t item : items) push(item);
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t* begin() { return size_ <= kInside ? inside_.data() : more_.data(); }
  int64_t* end() { return begin() + size_; }
  const int64_t* begin() const { return size_ <= kInside ? inside_.data() : more_.data(); }
  const int64_t* end() const { return begin() + size_; }
  int64_t& operator[](size_t i) { return begin()[i]; }
  int64_t operator[](size_t i) const { return begin()[i]; }
  operator std::span<const int64_t>() const { return {begin(), size_}; }  // NOLINT: a view of it

  void push(int64_t item) { insert(size_, item); }
  void insert(size_t at, int64_t item) {
    if (size_ == kInside) more_.assign(inside_.begin(), inside_.end());
    if (size_ >= kInside) {
      more_.insert(more_.begin() + static_cast<std::ptrdiff_t>(at), item);
    } else {
      std::copy_backward(inside_.begin() + at, inside_.begin() + size_,
                         inside_.begin() + size_ + 1);
      inside_[at] = item;
    }
    ++size_;
  }
  void erase(size_t at) {
    std::copy(begin() + at + 1, end(), begin() + at);
    if (size_ > kInside) more_.pop_back();
    if (size_ == kInside + 1) std::copy(more_.begin(), more_.end(), inside_.begin());
    --size_;
  }
  void append(std::span<const int64_t> items) {
    for (int64_t item : items) push(item);
  }
  std::span<const int64_t> from(size_t first) const { return {begin() + first, size_ - first}; }

  friend bool operator==(const Dims& a, const Dims& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static constexpr size_t kInside = 4;
  size_t size_ = 0;
  std::array<int64_t, kInside> inside_{};
  std::vector<int64_t> more_;  // all items, when there are more than kInside
};

}  // namespace halo::interp
