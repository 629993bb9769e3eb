// Windows: pieces of a device's memory that the devices of other ranks of this machine copy from
// directly (gpu/cuda/link.h). Each rank fills its own. What it takes from another's goes first to a
// landing place in its own memory, which Vulkan has imported, and then to arrays:
//
//   rank 0   arrays -> window 0   ring        hear   window 1 -> landing place -> arrays
//
// The first and the last arrow are commands of the stream, the middle one is CUDA's.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>

#include "gpu/cuda/link.h"
#include "gpu/vulkan/page_queue.h"

namespace halo::gpu {

class Windows {
 public:
  using Done = diag::Result<std::monostate>;
  using Copy = vulkan::PageQueue::Piece;

  // Null: the device shares no memory with CUDA.
  static std::unique_ptr<Windows> open(std::shared_ptr<vulkan::Device> device,
                                       vulkan::Stream& stream);
  ~Windows();
  Windows(const Windows&) = delete;
  Windows& operator=(const Windows&) = delete;

  // `name` stands for the window in the functions below. A file for the other ranks, to be closed
  // by the caller; -1: there is none.
  int make(const std::byte* name, uint64_t bytes);
  // The window of another rank, by its file.
  bool take(const std::byte* name, int file, uint64_t bytes);
  bool has(const std::byte* name) const { return windows_.contains(name); }
  // Behind all that the stream has been given.
  void forget(const std::byte* name) noexcept;

  // Begins to fill this rank's window: the stream tells when that has ended.
  Done out(const std::byte* name, std::span<const Copy> copies);
  // From another rank's. The landing place is free: the stream has ended what it was given before
  // the last out().
  Done in(const std::byte* name, std::span<const Copy> copies);

 private:
  struct Window {
    cuda::Piece local;                 // filled by Vulkan, or the landing place
    cuda::Piece other;                 // another rank's window
    VkBuffer buffer = VK_NULL_HANDLE;  // of `local`
    VkDeviceMemory memory = VK_NULL_HANDLE;
  };

  Windows(std::shared_ptr<vulkan::Device> device, vulkan::Stream& stream,
          std::unique_ptr<cuda::Link> link)
      : device_(std::move(device)), stream_(stream), link_(std::move(link)) {}
  bool makeLocal(Window& window, uint64_t bytes);
  bool import(Window& window, int file);
  void destroy(Window& window) noexcept;

  std::shared_ptr<vulkan::Device> device_;
  vulkan::Stream& stream_;
  std::unique_ptr<cuda::Link> link_;
  std::map<const std::byte*, Window> windows_;
};

}  // namespace halo::gpu
