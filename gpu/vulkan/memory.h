// Device memory: a pool of large blocks, each one VkBuffer with a device address, cut into
// allocations by best fit. An allocation is known by its device address, which kernels, push
// constants and host programs pass around.
//
// An array above the largest allocation of the driver is one sparse buffer over several
// allocations. Scalars have blocks of their own, which the host sees where the device has such
// memory. It reads them there after a wait, without a copy.
//
// Freed memory is reused at once, also while earlier work that touches it is still queued. All work
// goes through one stream in order, and the stream puts a barrier where regions overlap.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/vulkan/device.h"
#include "lang/value/memory.h"

namespace halo::gpu::vulkan {

class Stream;

// Host-visible memory that stays mapped, for copies in and out.
struct Staging {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::byte* mapped = nullptr;
  uint64_t address = 0;
  uint64_t bytes = 0;
  bool is_coherent = true;
};
diag::Result<Staging> makeStaging(Device& device, uint64_t bytes, bool for_reading);
// Device memory that the host can also write to, at any time, if the device has such (`mapped`).
diag::Result<Staging> makeShared(Device& device, uint64_t bytes);
// Memory of the host that stays where it is: whole pages, for copies (VK_EXT_external_memory_host).
// Writes and reads of the host are those of other processes as well.
diag::Result<Staging> importPages(Device& device, std::byte* pages, uint64_t bytes);
void destroyStaging(Device& device, Staging& staging);

// Where an address is: the block's buffer and the offset in it.
struct Region {
  VkBuffer buffer = VK_NULL_HANDLE;
  uint64_t offset = 0;
  uint64_t bytes = 0;                 // from the address to the end of its allocation
  const std::byte* mapped = nullptr;  // where the host sees it, if it does
};

class DeviceMemory : public value::Memory {
 public:
  explicit DeviceMemory(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  ~DeviceMemory() override;

  // The stream that reads go through; set once by the engine.
  void setStream(Stream* stream) { stream_ = stream; }
  Device& device() { return *device_; }

  diag::Result<value::BufferRef> allocate(size_t bytes) override;
  void release(value::Buffer& buffer) noexcept override;
  diag::Result<std::monostate> read(const value::Buffer& from, size_t offset, void* to,
                                    size_t bytes) override;
  bool isHost() const override { return false; }

  // The region that contains the address; a zero buffer if there is none.
  Region find(uint64_t address) const;
  // How often the driver was asked for memory.
  uint64_t blocksMade() const { return blocks_made_; }

 private:
  struct Block {
    VkBuffer buffer = VK_NULL_HANDLE;
    std::vector<VkDeviceMemory> memory;  // several under a sparse buffer
    uint64_t address = 0;
    uint64_t bytes = 0;
    bool is_for_scalars = false;
    const std::byte* mapped = nullptr;
    std::map<uint64_t, uint64_t> free;  // offset -> bytes
    std::map<uint64_t, uint64_t> used;
  };

  diag::Result<uint64_t> allocateAddress(uint64_t bytes, bool is_scalar);
  diag::Result<Block*> addBlock(uint64_t bytes);
  diag::Result<Block*> addScalarBlock();
  Block* keep(std::unique_ptr<Block> block);
  VkResult makeDense(Block& block);
  VkResult makeSparse(Block& block);
  void destroyBlock(Block& block);
  bool dropIdleBlocks();

  std::shared_ptr<Device> device_;
  Stream* stream_ = nullptr;
  mutable std::mutex mutex_;
  std::map<uint64_t, std::unique_ptr<Block>> blocks_;  // by address
  std::atomic<uint64_t> blocks_made_ = 0;
};

}  // namespace halo::gpu::vulkan
