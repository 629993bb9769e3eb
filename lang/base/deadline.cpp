#include "lang/base/deadline.h"

#include "lang/base/threads.h"

namespace halo::base {

Deadline::Deadline(std::chrono::milliseconds limit, const CancelFlag* outer) {
  const auto end = std::chrono::steady_clock::now() + limit;
  watcher_ = startThread([this, end, outer] { watch(end, outer); });
}

Deadline::~Deadline() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (watcher_.joinable()) watcher_.join();
}

void Deadline::watch(std::chrono::steady_clock::time_point end, const CancelFlag* outer) {
  constexpr std::chrono::milliseconds kPoll{
      50};  // a signal handler sets `outer` without a notification
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kPoll, [&] { return is_over_; })) {
    const bool is_cancelled = outer != nullptr && outer->isSet();
    if (!is_cancelled && std::chrono::steady_clock::now() < end) continue;
    flag_.set();
    return;
  }
}

}  // namespace halo::base
