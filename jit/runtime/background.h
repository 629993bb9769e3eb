// One thread of the process that does work later, one piece after the other, unless an order is
// taken back before. At the end of the process it finishes the piece under way and leaves the rest.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace halo::jit {

class Background {
 public:
  using Clock = std::chrono::steady_clock;
  using Work = std::function<void()>;
  using Order = std::pair<Clock::time_point, uint64_t>;  // when, and a number

  static Background& get();
  Background() = default;
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  Order after(std::chrono::microseconds delay, Work work);
  void cancel(const Order& order);  // nothing happens if it has begun
  bool isBusy();

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Order, Work> orders_;
  uint64_t count_ = 0;
  bool is_busy_ = false;
  bool ends_ = false;
  std::thread thread_;  // from the first order on
};

}  // namespace halo::jit
