// The stack of the calling thread, for those who must stop before its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace halo::base {

struct StackBounds {
  uintptr_t lowest;  // stacks grow down to here
  size_t size;       // bytes
};

// Nothing where the system does not tell. Asked once for each thread: on the main thread the answer
// means reading a list of all mappings.
const std::optional<StackBounds>& stackBounds();

}  // namespace halo::base
