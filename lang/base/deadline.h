// A deadline for calls: a cancel flag that is set after some time, or as soon as another one is.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "lang/base/cancel.h"

namespace halo::base {

class Deadline {
 public:
  // `outer` may be null. Without a thread to watch the time, the flag is never set.
  Deadline(std::chrono::milliseconds limit, const CancelFlag* outer);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  const CancelFlag& flag() const { return flag_; }

 private:
  void watch(std::chrono::steady_clock::time_point end, const CancelFlag* outer);

  CancelFlag flag_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::thread watcher_;
};

}  // namespace halo::base
