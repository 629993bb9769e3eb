// One listener for the process.
#include "lang/base/phase.h"

#include <mutex>

namespace halo::base {

namespace {

using Clock = std::chrono::steady_clock;

struct Listening {
  std::mutex mutex;
  PhaseListener listener;
  Clock::time_point start;
};

// Never destroyed: threads may still end phases when the process ends.
Listening& listening() {
  static auto* made = new Listening;
  return *made;
}

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

}  // namespace

Phase::~Phase() {
  Listening& all = listening();
  if (!all.listener) return;
  Clock::time_point end = Clock::now();
  std::lock_guard lock(all.mutex);
  all.listener(name_, milliseconds(begin_ - all.start), milliseconds(end - begin_));
}

void listenToPhases(PhaseListener listen) {
  listening().listener = std::move(listen);
  listening().start = Clock::now();
}

}  // namespace halo::base
