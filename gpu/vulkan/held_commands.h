// Launches and copies held back, so that independent chains of commands run concurrently. A chain
// of small kernels fills the gaps that barriers leave in a chain of large ones.
//
// List scheduling by levels [Hu 1961: Parallel sequencing and assembly line problems]. The level of
// a command is the length of the longest chain of commands that it depends on. Commands of one
// level need no barrier between them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/vulkan/pipeline.h"

namespace halo::gpu::vulkan {

// Device memory that a command touches.
struct Access {
  uint64_t address;
  uint64_t bytes;
  bool writes;
};
bool overlaps(const Access& a, const Access& b);
// One of the two has to wait for the other.
bool conflicts(const Access& a, const Access& b);

// A launch, or a copy if there is no pipeline.
struct HeldCommand {
  Pipeline pipeline;
  std::array<uint32_t, 3> groups{};
  std::vector<std::byte> pushed;                        // at most pushBytes(features)
  VkBuffer from = VK_NULL_HANDLE, to = VK_NULL_HANDLE;  // of a copy
  VkBufferCopy region{};
  // None: of a launch concurrent with the one before, which has waited for all that this one needs.
  std::vector<Access> accesses;
  std::string name;
  int level = 0;
  uint64_t size = 0;  // workgroups, with those of a concurrent launch before it
};

class HeldCommands {
 public:
  void add(HeldCommand command);
  bool isEmpty() const { return commands_.empty(); }
  size_t count() const { return commands_.size(); }
  int levels() const;
  // Those of the first `levels` levels, in order of levels, small ones first. Commands added later
  // are of higher levels than these.
  std::vector<HeldCommand> take(int levels);
  std::vector<HeldCommand> takeAll();

 private:
  std::vector<HeldCommand> commands_;
  int first_level_ = 0;  // of the commands that are left
};

}  // namespace halo::gpu::vulkan
