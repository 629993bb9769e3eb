// Times of the engine's steps, for `--time-passes`.
#pragma once

#include <chrono>

#include "lang/engine/engine.h"

namespace halo::jit {

using Clock = std::chrono::steady_clock;

inline double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Tells the options' callback how long its scope took.
class PassTimer {
 public:
  PassTimer(const engine::Options& options, const char* name) : options_(options), name_(name) {}
  ~PassTimer() {
    if (options_.time_pass) options_.time_pass(name_, millisecondsSince(start_));
  }
  PassTimer(const PassTimer&) = delete;
  PassTimer& operator=(const PassTimer&) = delete;

 private:
  const engine::Options& options_;
  const char* name_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace halo::jit
