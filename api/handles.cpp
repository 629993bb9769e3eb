// A table in parts with locks of their own, so that threads with values of their own rarely meet.
#include "api/handles.h"

#include <pthread.h>

#include <array>
#include <mutex>
#include <unordered_map>

namespace halo::api {
namespace {

struct Part {
  std::mutex mutex;
  std::unordered_map<const void*, HandleKind> handles;
};

using Parts = std::array<Part, 64>;

// Never destroyed: the caller may free handles at the very end of the process.
Parts& allParts() {
  static Parts& parts = *new Parts;
  return parts;
}

// A child has the forking thread alone: a mutex that another had locked would stay locked.
[[maybe_unused]] const int kForkHandlers = pthread_atfork(
    [] {
      for (Part& part : allParts()) part.mutex.lock();
    },
    [] {
      for (Part& part : allParts()) part.mutex.unlock();
    },
    [] {
      for (Part& part : allParts()) part.mutex.unlock();
    });

Part& partOf(const void* handle) {
  constexpr uintptr_t kBlock = 64;  // bytes; neighbouring objects are in different parts
  Parts& parts = allParts();
  return parts[reinterpret_cast<uintptr_t>(handle) / kBlock % parts.size()];
}

}  // namespace

void enterHandle(const void* handle, HandleKind kind) {
  Part& part = partOf(handle);
  const std::lock_guard lock(part.mutex);
  part.handles[handle] = kind;
}

void leaveHandle(const void* handle) {
  Part& part = partOf(handle);
  const std::lock_guard lock(part.mutex);
  part.handles.erase(handle);
}

bool isHandle(const void* handle, HandleKind kind) {
  Part& part = partOf(handle);
  const std::lock_guard lock(part.mutex);
  const auto found = part.handles.find(handle);
  return found != part.handles.end() && found->second == kind;
}

}  // namespace halo::api
