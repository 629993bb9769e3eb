// A sequence that mostly has one element: the first one lies in the object, more of them in an
// array of their own. The checker copies sizes such as `n` by the million, so they take no memory
// from the heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <utility>

namespace halo::base {

template <typename T>
class Few {
 public:
  Few() = default;
  Few(std::initializer_list<T> values) { append(values.begin(), values.end()); }
  Few(const Few& other) { append(other.begin(), other.end()); }
  Few(Few&& other) noexcept { take(other); }
  Few& operator=(const Few& other) {
    if (this != &other) *this = Few(other);
    return *this;
  }
  Few& operator=(Few&& other) noexcept {
    if (this == &other) return *this;
    clear();
    take(other);
    return *this;
  }
  ~Few() { clear(); }

  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }

  void push_back(T value) {
    if (size_ == capacity()) grow();
    new (data() + size_) T(std::move(value));
    ++size_;
  }
  void pop_back() { std::destroy_at(data() + --size_); }
  void erase(T* place) {
    for (T* next = place + 1; next != end(); ++place, ++next) *place = std::move(*next);
    pop_back();
  }
  template <typename Iterator>
  void append(Iterator from, Iterator to) {
    for (; from != to; ++from) push_back(*from);
  }

  friend bool operator==(const Few& a, const Few& b) {
    if (a.size_ != b.size_) return false;
    for (size_t i = 0; i < a.size_; ++i) {
      if (!(a[i] == b[i])) return false;
    }
    return true;
  }

 private:
  size_t capacity() const { return many_ == nullptr ? 1 : capacity_; }
  T* data() { return many_ == nullptr ? std::launder(reinterpret_cast<T*>(one_)) : many_; }
  const T* data() const { return const_cast<Few*>(this)->data(); }

  void grow() {
    const uint32_t wider = static_cast<uint32_t>(2 * capacity() + 2);
    T* const more = std::allocator<T>().allocate(wider);
    std::uninitialized_move(begin(), end(), more);
    const uint32_t size = size_;
    clear();
    many_ = more;
    capacity_ = wider;
    size_ = size;
  }
  void clear() {
    std::destroy(begin(), end());
    if (many_ != nullptr) std::allocator<T>().deallocate(many_, capacity_);
    many_ = nullptr;
    size_ = 0;
  }
  void take(Few& other) noexcept {
    if (other.many_ == nullptr) {
      std::uninitialized_move(other.begin(), other.end(), data());
      size_ = other.size_;
      return other.clear();
    }
    many_ = std::exchange(other.many_, nullptr);
    capacity_ = other.capacity_;
    size_ = std::exchange(other.size_, 0);
  }

  T* many_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;  // of `many_`
  alignas(T) std::byte one_[sizeof(T)];
};

}  // namespace halo::base
