// A bar on standard error while something takes long: how far the call's loop is and how long the
// rest may take. Nothing appears in the first second, when standard error is no terminal, or when
// the terminal can only write lines; nothing is left behind.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace halo::cli {

class ProgressBar {
 public:
  explicit ProgressBar(bool is_wanted);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  void watch();

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::thread watcher_;
};

// `[#####     ] 50 %, 3 s left`; without a counted loop only the time that has passed.
std::string progressText(int64_t done, int64_t total, double seconds);

}  // namespace halo::cli
