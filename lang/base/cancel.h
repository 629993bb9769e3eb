// The cancel word: set by Ctrl-C (async-signal-safe) or a deadline, polled by every long loop of
// every engine.
#pragma once

#include <atomic>
#include <cstdint>

namespace halo::base {

class CancelFlag {
 public:
  void set() noexcept { word_.store(1, std::memory_order_relaxed); }
  void clear() noexcept { word_.store(0, std::memory_order_relaxed); }
  bool isSet() const noexcept { return word_.load(std::memory_order_relaxed) != 0; }
  // Compiled code polls this address directly.
  const std::atomic<uint32_t>* address() const noexcept { return &word_; }

 private:
  std::atomic<uint32_t> word_{0};
};

}  // namespace halo::base
