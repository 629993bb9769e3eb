// Where the time of a start goes: parts of it that have a name, from any thread. They are recorded
// for `--time-passes` only.
#pragma once

#include <chrono>
#include <functional>

namespace halo::base {

// From construction to destruction.
class Phase {
 public:
  explicit Phase(const char* name) : name_(name), begin_(Clock::now()) {}
  ~Phase();
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  const char* name_;
  Clock::time_point begin_;
};

// `listen` gets every phase that ends from now on: when it began, counted from this call, and how
// long it took. One call at a time. For the start of the process, before other threads.
using PhaseListener = std::function<void(const char* name, double begin_ms, double ms)>;
void listenToPhases(PhaseListener listen);

}  // namespace halo::base
