// How a rank waits for another: awake at first, then letting others go first, then asleep, because
// the other rank may need this core. Behind a second the naps become longer: nothing runs, as in a
// session whose user thinks.
#pragma once

#include <unistd.h>

#include <thread>

namespace halo::ranks {

class Patience {
 public:
  void wait() {
    tries_++;
    if (tries_ > kSpins + kYields) {
      usleep(tries_ > kManyTries ? kLongNap : kNap);
    } else if (tries_ > kSpins) {
      std::this_thread::yield();
    }
  }
  // Now and then, once it sleeps: for questions that take the system some time.
  bool isTimeToAsk() const { return tries_ > kSpins + kYields && tries_ % kNapsToAsk == 0; }

 private:
  static constexpr int kSpins = 2000;
  static constexpr int kYields = 2000;
  static constexpr auto kNap = 50;  // microseconds
  static constexpr auto kLongNap = 1000;
  static constexpr int kManyTries = 24000;
  static constexpr int kNapsToAsk = 1000;
  int tries_ = 0;
};

}  // namespace halo::ranks
