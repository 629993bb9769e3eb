// When parallel loops ran, for `--profile`: a line for each run of a loop, and one for each chunk
// of a thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

namespace halo::jit {

inline constexpr int kCaller = 0;  // the thread of the call; threads of chunks count from 1

struct NestTime {
  uint32_t loop;  // its variable in Imp
  int thread;
  std::chrono::steady_clock::time_point begin, end;
};

class NestTimes {
 public:
  void add(const NestTime& time) {
    const std::lock_guard lock(mutex_);
    all_.push_back(time);
  }
  std::vector<NestTime> take() {
    const std::lock_guard lock(mutex_);
    return std::move(all_);
  }

 private:
  std::mutex mutex_;
  std::vector<NestTime> all_;
};

// From here to the end of the block. Without `times` nothing is measured.
class NestTimer {
 public:
  NestTimer(NestTimes* times, uint32_t loop, int thread) : times_(times) {
    if (times_ != nullptr) time_ = {loop, thread, std::chrono::steady_clock::now(), {}};
  }
  ~NestTimer() {
    if (times_ == nullptr) return;
    time_.end = std::chrono::steady_clock::now();
    times_->add(time_);
  }
  NestTimer(const NestTimer&) = delete;
  NestTimer& operator=(const NestTimer&) = delete;

 private:
  NestTimes* times_;
  NestTime time_{};
};

}  // namespace halo::jit
