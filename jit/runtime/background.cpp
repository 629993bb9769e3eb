// A map of orders by time, and a thread that sleeps until the first of them.
#include "jit/runtime/background.h"

#include "lang/base/threads.h"

namespace halo::jit {

Background& Background::get() {
  static Background background;
  return background;
}

Background::~Background() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

Background::Order Background::after(std::chrono::microseconds delay, Work work) {
  const std::lock_guard lock(mutex_);
  if (!thread_.joinable()) thread_ = base::startThread([this] { run(); });
  Order order{Clock::now() + delay, count_++};
  auto place = orders_.emplace(order, std::move(work)).first;
  // A thread that sleeps until an earlier time reads the map when it wakes.
  if (place == orders_.begin()) changed_.notify_one();
  return order;
}

void Background::cancel(const Order& order) {
  const std::lock_guard lock(mutex_);
  orders_.erase(order);
}

bool Background::isBusy() {
  const std::lock_guard lock(mutex_);
  return is_busy_;
}

void Background::run() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    if (orders_.empty()) {
      changed_.wait(lock);
      continue;
    }
    auto first = orders_.begin();
    const Clock::time_point due = first->first.first;
    if (Clock::now() < due) {
      changed_.wait_until(lock, due);
      continue;
    }
    Work work = std::move(first->second);
    orders_.erase(first);
    is_busy_ = true;
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
    is_busy_ = false;
  }
}

}  // namespace halo::jit
