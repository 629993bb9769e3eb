// Pieces have powers of two as their sizes. All work goes through one stream, so that a piece may
// be lent again while launches that use it are still queued.
#include "gpu/kept_memory.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "gpu/vulkan/stream.h"

namespace halo::gpu {

namespace {

constexpr uint64_t kMinBytes = 256;  // pieces share no line of a cache

}  // namespace

diag::Result<value::BufferRef> KeptMemory::allocate(uint64_t bytes, imp::Holds holds) {
  const Kind kind{holds, std::bit_ceil(std::max(bytes, kMinBytes))};
  Piece piece;
  if (std::vector<Piece>& idle = idle_[kind]; !idle.empty()) {
    piece = std::move(idle.back());
    idle.pop_back();
  }
  if (piece.buffer == nullptr) {
    auto made = memory_.allocate(kind.bytes);
    if (!made) return made;
    piece.buffer = std::move(*made);
  }
  if (piece.uses % kMaxUses == 0) {
    const std::vector<std::byte> zeros(kind.bytes);
    auto cleared = stream_.write(piece.buffer->deviceAddress(), zeros.data(), kind.bytes);
    if (!cleared) return diag::Failure(cleared.error());
  }
  ++piece.uses;
  value::Buffer* buffer = piece.buffer.get();
  return value::BufferRef(buffer, [this, kind, piece, at = forgotten_](value::Buffer*) mutable {
    if (at == forgotten_) idle_[kind].push_back(std::move(piece));
  });
}

void KeptMemory::forget() {
  ++forgotten_;
  idle_.clear();
}

bool KeptMemory::freeIdle() {
  const bool had_any = std::any_of(idle_.begin(), idle_.end(),
                                   [](const auto& pieces) { return !pieces.second.empty(); });
  idle_.clear();
  return had_any;
}

}  // namespace halo::gpu
