// Pieces of device memory that other processes' devices copy from over the link between them
// (NVLink), which Vulkan does not offer (docs/ranks.md). CUDA makes the memory and
// copies; Vulkan has imported it, so that commands of a stream fill and read it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "gpu/cuda/driver.h"

namespace halo::gpu::cuda {

// Memory that CUDA made: of this process's device, or of another one's.
struct Piece {
  Address address = 0;
  Handle handle = 0;
  uint64_t bytes = 0;  // whole units of the driver
};

class Link {
 public:
  // Of the device with this name among all (VkPhysicalDeviceIDProperties::deviceUUID). Null: CUDA
  // has none. Takes half a second.
  static std::unique_ptr<Link> open(const std::array<uint8_t, 16>& uuid);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  std::optional<Piece> make(uint64_t bytes);
  // A file that stands for the piece, to be closed by the caller; -1: none.
  int fileOf(const Piece& piece);
  // Another process's piece by such a file.
  std::optional<Piece> open(int file, uint64_t bytes);
  void free(Piece& piece) noexcept;

  // Begins a copy; wait() ends all.
  bool copy(Address to, Address from, uint64_t bytes);
  bool wait();

 private:
  Link(const Driver& driver, int device) : driver_(driver), device_(device) {}
  bool setUp();
  bool isCurrent() { return driver_.useContext(context_) == kSuccess; }  // on this thread
  bool map(Piece& piece);
  uint64_t rounded(uint64_t bytes) const { return (bytes + unit_ - 1) / unit_ * unit_; }

  const Driver& driver_;
  int device_;
  size_t unit_ = 1;
  Properties properties_;
  Context* context_ = nullptr;
  Stream* stream_ = nullptr;
};

}  // namespace halo::gpu::cuda
