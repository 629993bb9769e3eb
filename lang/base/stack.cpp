// Stack bounds by the extension of glibc and musl; stacks by mmap, because those that pthreads
// makes count as memory that is promised.
#include "lang/base/stack.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>

namespace halo::base {
namespace {

constexpr size_t kLargeStack = size_t{4} << 30;
constexpr size_t kShareOfAddresses = 8;         // of those that a limit grants, one part in so many
constexpr size_t kMinStack = size_t{64} << 20;  // below this the ordinary one will do
constexpr size_t kGuard = size_t{1} << 20;      // frames must not step over it
constexpr size_t kBytesPerLevel = size_t{16} << 10;

// Of the main thread, where no /proc says more: half of the limit, from here on. The frames above,
// arguments and environment take less than the other half.
std::optional<StackBounds> boundsByLimit() {
  constexpr size_t kUsual = size_t{8} << 20;  // where there is no limit
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return std::nullopt;
  const size_t size = (limit.rlim_cur == RLIM_INFINITY ? kUsual : limit.rlim_cur) / 2;
  return StackBounds{reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - size, size};
}

std::optional<StackBounds> findBounds() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return boundsByLimit();
  void* lowest = nullptr;
  size_t size = 0;
  const bool known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  if (!known) return std::nullopt;
  return StackBounds{reinterpret_cast<uintptr_t>(lowest), size};
}

void* startOfThread(void* run) {
  (*static_cast<const std::function<void()>*>(run))();
  return nullptr;
}

// Whether a thread with that stack ran. Signals go to it alone: they are to interrupt its system
// calls, not the wait here.
bool runOn(void* lowest, size_t size, const std::function<void()>& run) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0) return false;
  void* argument = const_cast<std::function<void()>*>(&run);
  const bool started = pthread_attr_setstack(&attributes, lowest, size) == 0 &&
                       pthread_create(&thread, &attributes, startOfThread, argument) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) return false;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_join(thread, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return true;
}

size_t largestStack() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kLargeStack;
  return std::min<size_t>(kLargeStack, limit.rlim_cur / kShareOfAddresses);
}

}  // namespace

const std::optional<StackBounds>& stackBounds() {
  thread_local const std::optional<StackBounds> kBounds = findBounds();
  return kBounds;
}

void onLargeStack(const std::function<void()>& run) {
  if (stackBounds() && stackBounds()->size >= kMinStack) return run();
  for (size_t size = largestStack(); size >= kMinStack; size /= 2) {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    if (memory == MAP_FAILED) continue;
    mprotect(memory, kGuard, PROT_NONE);
    const bool ran = runOn(static_cast<std::byte*>(memory) + kGuard, size - kGuard, run);
    munmap(memory, size);
    if (ran) return;
  }
  run();
}

uintptr_t recursionLimit(size_t most, size_t reserve) {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const uintptr_t limit = here - std::min<uintptr_t>(most, here);
  return stackBounds() ? std::max(limit, stackBounds()->lowest + reserve) : limit;
}

size_t stackLevels() {
  if (!stackBounds()) return kMaxLevels;
  return std::min(kMaxLevels, stackBounds()->size / kBytesPerLevel);
}

}  // namespace halo::base
