// Stack bounds by the extension of glibc and musl.
#include "lang/base/stack.h"

#include <pthread.h>

namespace halo::base {
namespace {

std::optional<StackBounds> findBounds() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return std::nullopt;
  void* lowest = nullptr;
  size_t size = 0;
  const bool known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  if (!known) return std::nullopt;
  return StackBounds{reinterpret_cast<uintptr_t>(lowest), size};
}

}  // namespace

const std::optional<StackBounds>& stackBounds() {
  thread_local const std::optional<StackBounds> kBounds = findBounds();
  return kBounds;
}

}  // namespace halo::base
