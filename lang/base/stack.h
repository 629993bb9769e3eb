// The stack of the calling thread: its bounds, for recursion that must stop before its end, and a
// large one for walks over programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace halo::base {

struct StackBounds {
  uintptr_t lowest;  // stacks grow down to here
  size_t size;       // bytes
};

// Nothing where the system does not tell. Asked once for each thread: on the main thread the answer
// means reading a list of all mappings.
const std::optional<StackBounds>& stackBounds();

// Calls `run` on a stack of 4 GiB, of which only touched pages take up memory. Where the system
// grants no such addresses, on a smaller one, at last on the caller's. Comes back when `run` does.
// A caller on a large stack stays there.
void onLargeStack(const std::function<void()>& run);

// The limit of nesting for programs that functions walk on this thread's stack, with a few frames
// for each level. It is 16 KiB a level, and kMaxLevels at most.
inline constexpr size_t kMaxLevels = size_t{1} << 17;
size_t stackLevels();

// The lowest address for the frames of a recursive program: `most` bytes below the caller's frame,
// or `reserve` above the stack's end.
uintptr_t recursionLimit(size_t most, size_t reserve);

}  // namespace halo::base
