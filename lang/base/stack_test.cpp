#include "lang/base/stack.h"

#include <doctest/doctest.h>

#include <thread>

namespace halo::base {
namespace {

// One frame of some 100 bytes for each level.
size_t depthOf(size_t levels) {
  volatile char frame[64] = {};
  return levels == 0 ? 0 : 1 + depthOf(levels - 1) + static_cast<size_t>(frame[levels % 64]);
}

TEST_CASE("a large stack holds what an ordinary one does not, wherever it is asked for") {
  size_t depth = 0;
  std::thread([&] { onLargeStack([&] { depth = depthOf(1000000); }); }).join();
  CHECK(depth == 1000000);
}

TEST_CASE("who runs on a large stack stays on it") {
  std::thread([] {
    onLargeStack([] {
      const std::thread::id here = std::this_thread::get_id();
      onLargeStack([&] { CHECK(std::this_thread::get_id() == here); });
      CHECK(stackLevels() == kMaxLevels);
    });
    CHECK(stackLevels() < kMaxLevels);
  }).join();
}

TEST_CASE("recursion ends in front of the end of the stack, or earlier") {
  std::thread([] {
    const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    const uintptr_t near = recursionLimit(4096, 4096);
    CHECK(near < here);
    CHECK(here - near < 8192);
    CHECK(recursionLimit(SIZE_MAX, 4096) == stackBounds()->lowest + 4096);
  }).join();
}

}  // namespace
}  // namespace halo::base
