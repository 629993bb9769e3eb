#include "gpu/cuda/link.h"

#include <cstring>
#include <thread>

namespace halo::gpu::cuda {

std::unique_ptr<Link> Link::open(const std::array<uint8_t, 16>& uuid) {
  const Driver* driver = cuda::driver();
  int count = 0;
  if (driver == nullptr || driver->deviceCount(&count) != kSuccess) return nullptr;
  for (int i = 0; i < count; ++i) {
    int device = 0;
    Uuid own{};
    const bool is_known =
        driver->device(&device, i) == kSuccess && driver->uuid(&own, device) == kSuccess;
    if (!is_known || std::memcmp(own.bytes, uuid.data(), uuid.size()) != 0) continue;
    std::unique_ptr<Link> link(new Link(*driver, device));
    return link->setUp() ? std::move(link) : nullptr;
  }
  return nullptr;
}

bool Link::setUp() {
  properties_.location.device = device_;
  if (driver_.retainContext(&context_, device_) != kSuccess) {
    context_ = nullptr;
    return false;
  }
  return isCurrent() && driver_.granularity(&unit_, &properties_, 0) == kSuccess &&
         driver_.makeStream(&stream_, kNonBlocking) == kSuccess;
}

Link::~Link() {
  if (context_ == nullptr) return;
  if (stream_ != nullptr && isCurrent()) driver_.destroyStream(stream_);
  driver_.releaseContext(device_);
}

std::optional<Piece> Link::make(uint64_t bytes) {
  Piece piece{0, 0, rounded(bytes)};
  if (!isCurrent() || driver_.create(&piece.handle, piece.bytes, &properties_, 0) != kSuccess) {
    return std::nullopt;
  }
  return map(piece) ? std::optional(piece) : std::nullopt;
}

int Link::fileOf(const Piece& piece) {
  int file = -1;
  const bool is_made =
      isCurrent() && driver_.exportHandle(&file, piece.handle, kFileDescriptor, 0) == kSuccess;
  return is_made ? file : -1;
}

std::optional<Piece> Link::open(int file, uint64_t bytes) {
  Piece piece{0, 0, rounded(bytes)};
  void* named = reinterpret_cast<void*>(static_cast<intptr_t>(file));
  if (!isCurrent() || driver_.importHandle(&piece.handle, named, kFileDescriptor) != kSuccess) {
    return std::nullopt;
  }
  return map(piece) ? std::optional(piece) : std::nullopt;
}

// For this process's device; of another one's memory too, if there is a way between them.
bool Link::map(Piece& piece) {
  Access access;
  access.location.device = device_;
  const bool is_reserved = driver_.reserve(&piece.address, piece.bytes, 0, 0, 0) == kSuccess;
  const bool is_mapped =
      is_reserved && driver_.map(piece.address, piece.bytes, 0, piece.handle, 0) == kSuccess;
  if (is_mapped && driver_.setAccess(piece.address, piece.bytes, &access, 1) == kSuccess) {
    return true;
  }
  if (is_mapped) driver_.unmap(piece.address, piece.bytes);
  if (is_reserved) driver_.free(piece.address, piece.bytes);
  driver_.release(piece.handle);
  return false;
}

void Link::free(Piece& piece) noexcept {
  if (piece.address == 0 || !isCurrent()) return;
  driver_.unmap(piece.address, piece.bytes);
  driver_.free(piece.address, piece.bytes);
  driver_.release(piece.handle);
  piece = {};
}

bool Link::copy(Address to, Address from, uint64_t bytes) {
  return isCurrent() && driver_.copy(to, from, bytes, stream_) == kSuccess;
}

// Awake: copies of a slot take some 50 us.
bool Link::wait() {
  int state = driver_.queryStream(stream_);
  for (; state == kNotReady; state = driver_.queryStream(stream_)) std::this_thread::yield();
  return state == kSuccess;
}

}  // namespace halo::gpu::cuda
