// Memory in which workgroups of a launch count or post to each other. It is cleared once, not in
// front of each launch: a launch leaves it as the next one wants it (imp::Holds).
//
//   zeros    all words are 0 again when the launch has ended
//   states   word 0 holds the launch's epoch and its tickets; a post names the epoch of its launch,
//            so that those of earlier launches count as none (templates/scan/tile_state.h)
//
// A launch that ends early, as those behind a failure do, leaves something else: forget().
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gpu/vulkan/memory.h"
#include "lang/imp/ir.h"

namespace halo::gpu {

class KeptMemory {
 public:
  // Epochs have 30 bits. One allocation serves one launch, so that memory of states has fewer.
  static constexpr uint64_t kMaxUses = uint64_t{1} << 29;

  KeptMemory(vulkan::DeviceMemory& memory, vulkan::Stream& stream)
      : memory_(memory), stream_(stream) {}

  // At least so many bytes. A later call gets them again once the buffer is gone.
  diag::Result<value::BufferRef> allocate(uint64_t bytes, imp::Holds holds);
  // No later allocation gets memory that is in use, or was.
  void forget();
  // Gives memory that no call uses back to the device; whether there was any.
  bool freeIdle();

 private:
  struct Piece {
    value::BufferRef buffer;
    uint64_t uses = 0;
  };
  struct Kind {
    imp::Holds holds;
    uint64_t bytes;
    auto operator<=>(const Kind&) const = default;
  };

  vulkan::DeviceMemory& memory_;
  vulkan::Stream& stream_;
  std::map<Kind, std::vector<Piece>> idle_;
  uint64_t forgotten_ = 0;  // how often
};

}  // namespace halo::gpu
