// Where arrays live. A Buffer is reference-counted, 64-byte aligned and padded by 64 bytes, so that
// vector code may read past its end. It comes from a Memory: the host pool here, or one device's
// pool (gpu/vulkan). The rest of the system sees only this interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>

#include "lang/diag/diagnostic.h"

namespace halo::value {

class Memory;

// Shared ownership of one allocation. `host` is null when only the device can reach the bytes.
class Buffer {
 public:
  Buffer(Memory& memory, std::byte* host, uint64_t device_address, size_t bytes, void* handle)
      : memory_(memory),
        host_(host),
        device_address_(device_address),
        bytes_(bytes),
        handle_(handle) {}
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  Memory& memory() const { return memory_; }
  std::byte* host() const { return host_; }
  uint64_t deviceAddress() const { return device_address_; }
  size_t bytes() const { return bytes_; }
  void* handle() const { return handle_; }

 private:
  Memory& memory_;
  std::byte* host_;
  uint64_t device_address_;
  size_t bytes_;
  void* handle_;  // the Memory's own bookkeeping
};
using BufferRef = std::shared_ptr<Buffer>;

class Memory {
 public:
  virtual ~Memory() = default;
  // Contents are undefined. Failure: out_of_memory, with the number of bytes.
  virtual diag::Result<BufferRef> allocate(size_t bytes) = 0;
  virtual void release(Buffer& buffer) noexcept = 0;  // called by ~Buffer only
  // Copies to host memory; for the host pool a memcpy. Waits for pending device work.
  virtual diag::Result<std::monostate> read(const Buffer& from, size_t offset, void* to,
                                            size_t bytes) = 0;
  virtual bool isHost() const = 0;
};

// The process's host pool. Blocks are reused last-freed first. A budget (default 75 % of RAM) turns
// absurd sizes into a diagnostic before the system runs out. So does a large block beyond the
// system's free memory.
Memory& hostMemory();

// The host pool's budget in bytes, and the bytes in use. Lowering the budget below those makes
// further allocations fail; it frees nothing that is held.
void setHostBudget(size_t bytes);
struct HostUsage {
  size_t budget = 0;
  size_t live = 0;    // bytes in buffers with a holder
  size_t cached = 0;  // bytes in blocks kept for reuse
};
HostUsage hostUsage();
void releaseHostCache();  // gives the cached blocks back to the system

std::string outOfMemoryText(size_t bytes);  // `out of memory: needs 12 bytes`

// Allocation that reports out_of_memory with the requested size.
diag::Result<BufferRef> allocateHost(size_t bytes);

}  // namespace halo::value
