// The commands of one submission as data. Recording takes the driver 1.3 us for each launch and 2
// us for each command buffer, as long as a small kernel. So calls whose commands repeat submit the
// buffer that was recorded before (command_buffers.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/vulkan/pipeline.h"

namespace halo::gpu::vulkan {

class CommandList {
 public:
  // `pushed` are at most pushBytes(features).
  void launch(const Pipeline& pipeline, const uint32_t groups[3],
              std::span<const std::byte> pushed);
  // Device: shaders and copies behind it see the stores of those before it. Host: the host sees
  // them behind its next wait. FromHost: copies behind it see what others have written to pages of
  // the host while this submission waited.
  enum class Barrier : uint64_t { kDevice, kHost, kFromHost };
  void barrier(Barrier kind);
  void copy(VkBuffer from, VkBuffer to, const VkBufferCopy& region);
  void clear(VkBuffer buffer, uint64_t offset, uint64_t bytes);
  // Lists with queries do not repeat: pools come and go with profiles.
  void resetQueries(VkQueryPool pool, uint32_t first, uint32_t count);
  void stamp(VkQueryPool pool, uint32_t query, VkPipelineStageFlagBits stage);

  void reset();
  bool isRepeatable() const { return !has_queries_; }
  void record(const DeviceApi& api, VkPipelineLayout layout, VkCommandBuffer buffer) const;
  friend bool operator==(const CommandList& a, const CommandList& b) {
    return a.words_ == b.words_;
  }

 private:
  template <typename Payload>
  void put(uint64_t kind, const Payload& payload, std::span<const std::byte> more = {});

  std::vector<uint64_t> words_;  // of each command its kind and its operands
  bool has_queries_ = false;
};

}  // namespace halo::gpu::vulkan
