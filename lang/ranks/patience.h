// How a rank waits for another: awake at first, then letting others go first, then asleep, because
// the other rank may need this core. Behind a second the naps become longer: nothing runs, as in a
// session whose user thinks.
#pragma once

#include <unistd.h>

#include <chrono>
#include <thread>

namespace halo::ranks {

class Patience {
 public:
  // Seconds until it is over; 0: never.
  explicit Patience(double limit = 0) : limit_(limit) {}

  void wait() {
    ++tries_;
    if (tries_ > kSpins + kYields) {
      usleep(tries_ > kManyTries ? kLongNap : kNap);
    } else if (tries_ > kSpins) {
      std::this_thread::yield();
    }
  }
  // Now and then, once it sleeps: for questions that take the system some time.
  bool isTimeToAsk() const { return tries_ > kSpins + kYields && tries_ % kNapsToAsk == 0; }

  bool isOver() const {
    if (limit_ <= 0 || tries_ <= kSpins + kYields) return false;
    const std::chrono::duration<double> waited = Clock::now() - start_;
    return waited.count() > limit_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kSpins = 2000;
  static constexpr int kYields = 2000;
  static constexpr auto kNap = 50;  // microseconds
  static constexpr auto kLongNap = 1000;
  static constexpr int kManyTries = 24000;
  static constexpr int kNapsToAsk = 1000;
  double limit_;
  Clock::time_point start_ = Clock::now();
  int tries_ = 0;
};

}  // namespace halo::ranks
