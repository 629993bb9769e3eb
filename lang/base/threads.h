// Threads that the system may refuse. Their work is then left for later, or done by the thread that
// waits for it: only time depends on a thread.
#pragma once

#include <functional>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

namespace halo::base {

// Not joinable if there is none.
inline std::thread startThread(std::function<void()> work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error&) {
    return {};
  }
}

// Work that has begun, or that begins when its result is requested.
template <typename Work>
auto startAsync(Work work) {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, std::move(work));
  }
}

}  // namespace halo::base
