// Command buffers with the lists that are recorded in them. A list that comes again is submitted as
// it was recorded, unless the device still executes it.
#pragma once

#include <memory>
#include <vector>

#include "gpu/vulkan/command_list.h"

namespace halo::gpu::vulkan {

class CommandBuffers {
 public:
  static diag::Result<std::unique_ptr<CommandBuffers>> make(std::shared_ptr<Device> device,
                                                            VkPipelineLayout layout);
  ~CommandBuffers();
  CommandBuffers(const CommandBuffers&) = delete;
  CommandBuffers& operator=(const CommandBuffers&) = delete;

  // Submissions are numbered; those up to `reached` have ended. The buffer belongs to submission
  // `next`. At least one must be free: see firstFree().
  diag::Result<VkCommandBuffer> recorded(const CommandList& list, uint64_t next, uint64_t reached);
  // The submission after which one is free.
  uint64_t firstFree() const;
  // Some buffer or query that lists mention is about to go.
  void forgetLists();
  // How many lists were recorded, and how many were found.
  uint64_t recordings() const { return recordings_; }
  uint64_t repeats() const { return repeats_; }

 private:
  CommandBuffers(std::shared_ptr<Device> device, VkPipelineLayout layout)
      : device_(std::move(device)), layout_(layout) {}

  struct Entry {
    VkCommandBuffer buffer = VK_NULL_HANDLE;
    CommandList list;
    bool is_known = false;    // `list` is recorded in it
    uint64_t busy_until = 0;  // the submission that it belongs to
  };
  Entry* find(const CommandList& list, uint64_t reached);
  Entry& oldest(uint64_t reached);

  std::shared_ptr<Device> device_;
  VkPipelineLayout layout_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::vector<Entry> entries_;
  uint64_t recordings_ = 0, repeats_ = 0;
};

}  // namespace halo::gpu::vulkan
