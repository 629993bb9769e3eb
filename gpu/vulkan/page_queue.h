// Copies between device memory and pages of the host that several processes share. Where the device
// has a queue for copies they run beside kernels:
//
//   stream   .. rows computed | kernels ........................ | kernels that read rows in
//   copies                    | out   (host: told, heard)  | in |
//
// Elsewhere they are commands of the stream.
#pragma once

#include <array>
#include <vector>

#include "gpu/vulkan/stream.h"

namespace halo::gpu::vulkan {

class PageQueue {
 public:
  using Done = diag::Result<std::monostate>;
  struct Piece {
    uint64_t address;  // of device memory
    uint64_t at;       // byte in the pages
    uint64_t bytes;
  };

  static diag::Result<std::unique_ptr<PageQueue>> make(std::shared_ptr<Device> device,
                                                       DeviceMemory& memory, Stream& stream);
  ~PageQueue();
  PageQueue(const PageQueue&) = delete;
  PageQueue& operator=(const PageQueue&) = delete;

  Done import(std::byte* pages, uint64_t bytes);
  void forget(const std::byte* pages) noexcept;

  // Runs behind the stream's commands so far; the memory must keep its contents until
  // finishOut(), which does not wait for copies in.
  Done out(const std::byte* pages, std::span<const Piece> pieces);
  Done finishOut();
  // Later commands of the stream run behind this copy. No earlier one, and none that was still
  // running when the last finishOut() returned, may touch this memory.
  Done in(const std::byte* pages, std::span<const Piece> pieces);

 private:
  PageQueue(std::shared_ptr<Device> device, DeviceMemory& memory, Stream& stream)
      : device_(std::move(device)), memory_(memory), stream_(stream), timeline_(device_) {}
  bool isBeside() const { return device_->copyQueue() != VK_NULL_HANDLE; }
  Done setUp();
  void settle() noexcept;
  VkResult record(VkCommandBuffer commands, VkBuffer pages, std::span<const Piece> pieces,
                  bool is_out);
  Done submit(VkBuffer pages, std::span<const Piece> pieces, bool is_out, uint64_t behind);
  Done wait(uint64_t value);
  VkBuffer bufferOf(const std::byte* pages) const;

  std::shared_ptr<Device> device_;
  DeviceMemory& memory_;
  Stream& stream_;
  std::vector<Staging> imported_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::array<VkCommandBuffer, 4> buffers_{};  // alternately
  Timeline timeline_;
  uint64_t last_out_ = 0;
};

}  // namespace halo::gpu::vulkan
