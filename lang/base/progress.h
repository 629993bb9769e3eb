// How far the outermost counted loop of a running call is, for a reader in another thread:
// a bar on a terminal. Engines write it as they go; nothing that they compute depends on it.
#pragma once

#include <atomic>
#include <cstdint>

namespace halo::base {

// Compiled code stores the two words by their place.
struct Progress {
  std::atomic<int64_t> done{0};
  std::atomic<int64_t> total{0};  // 0: no such loop yet

  void set(int64_t now, int64_t of) noexcept {
    done.store(now, std::memory_order_relaxed);
    total.store(of, std::memory_order_relaxed);
  }
};

// Of this process: people watch one call at a time.
inline Progress& progress() {
  static Progress progress;
  return progress;
}

}  // namespace halo::base
