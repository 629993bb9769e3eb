// A table in parts with locks of their own, so that threads with values of their own rarely meet.
#include "api/handles.h"

#include <array>
#include <mutex>
#include <unordered_map>

namespace halo::api {
namespace {

struct Part {
  std::mutex mutex;
  std::unordered_map<const void*, HandleKind> handles;
};

// Never destroyed: the caller may free handles at the very end of the process.
Part& partOf(const void* handle) {
  constexpr size_t kParts = 64;
  constexpr uintptr_t kBlock = 64;  // bytes; neighbouring objects are in different parts
  static auto& parts = *new std::array<Part, kParts>;
  return parts[reinterpret_cast<uintptr_t>(handle) / kBlock % kParts];
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
