// Copies between device memory and pages of the host that several processes share. Where the device
// has a queue for copies they run beside kernels:
//
//   stream   .. rows computed | kernels ........................ | kernels that read rows in
//   copies                    | out   (host: told, heard)  | in |
//
// Elsewhere they are commands of the stream.
//
// Copies in may be submitted before the pages are filled, with all that reads their rows. They wait
// for a semaphore that the host signals once it has heard of the pages (settle()):
//
//   stream   .. rows computed |                               | kernels that read rows in ..
//   copies                    | out   (host: told, heard)  in |
#pragma once

#include <array>
#include <deque>
#include <functional>
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

  // Copies in from several pages that are filled later. `arrive`: lang/engine/page_copies.h.
  struct Source {
    const std::byte* pages;
    std::vector<Piece> pieces;
  };
  using Arrive = std::function<Done(bool)>;
  Done inLater(std::span<const Source> sources, Arrive arrive);
  // In the order of inLater(). `hears`: else arrive(false).
  Done settle(bool hears = true);

 private:
  PageQueue(std::shared_ptr<Device> device, DeviceMemory& memory, Stream& stream)
      : device_(std::move(device)),
        memory_(memory),
        stream_(stream),
        timeline_(device_),
        told_(device_) {}
  bool isBeside() const { return device_->copyQueue() != VK_NULL_HANDLE; }
  Done setUp();
  void finishAll() noexcept;
  VkResult record(VkCommandBuffer commands, std::span<const Source> sources, bool is_out);
  Done submit(std::span<const Source> sources, bool is_out, const Timeline::Point& behind);
  Done beginLater(std::span<const Source> sources, uint64_t told);
  Done wait(uint64_t value);
  Done waitForOut(uint64_t value, uint64_t stream);
  VkBuffer bufferOf(const std::byte* pages) const;

  std::shared_ptr<Device> device_;
  DeviceMemory& memory_;
  Stream& stream_;
  std::vector<Staging> imported_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::array<VkCommandBuffer, 8> buffers_{};  // alternately
  Timeline timeline_;
  uint64_t last_out_ = 0;
  uint64_t behind_none_ = 0;  // of the stream, where the last out() had nothing to copy
  struct Later {
    uint64_t out = 0;     // when the own rows have left: of the timeline, or of the stream's
    uint64_t stream = 0;  // 0, or a value of the stream's as well
    uint64_t told = 0;    // that the copies in wait for
    Arrive arrive;
  };
  std::deque<Later> later_;
  Timeline told_;
  uint64_t last_told_ = 0;
  bool settles_ = false;  // now
};

}  // namespace halo::gpu::vulkan
