// The host pool. Blocks come in size classes, four per power of two, and wait in a free list per
// class. The last one freed is used first because it may still be in cache. Large blocks are
// mapped on 2 MB borders with huge pages advised (first touch 15 times cheaper). They begin at a
// staggered offset, so that equally sized arrays do not fight for the same cache sets.
#include "lang/value/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include "lang/base/check.h"
#include "lang/value/limits.h"

namespace halo::value {

namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kPadding = 64;  // vector code may read past the end
constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kStaggerStep = 320;  // 5 cache lines: 64 steps before two blocks meet again
constexpr size_t kStaggerRange = 4096;
constexpr size_t kLargest = SIZE_MAX / 4;
constexpr size_t kWorthAsking = size_t{64} << 20;  // touching it costs far more than 30 us
#ifdef __EMSCRIPTEN__
constexpr bool kHasMappings = false;  // WebAssembly's mmap gives nothing back in parts
#else
constexpr bool kHasMappings = true;
#endif

// Smallest multiple of a quarter of a power of two that is >= bytes.
struct SizeClass {
  size_t index;
  size_t bytes;
};
SizeClass sizeClass(size_t bytes) {
  const size_t wanted = std::max<size_t>(bytes, 4 * kAlignment);
  const int exponent = std::bit_width(wanted) - 1;
  const size_t quarter = size_t{1} << (exponent - 2);
  const size_t quarters = (wanted + quarter - 1) / quarter;  // 4..8
  return {4 * static_cast<size_t>(exponent) + (quarters - 4), quarters * quarter};
}

size_t roundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

// A block keeps its memory while it waits for reuse.
struct Block {
  std::byte* host = nullptr;
  size_t size_class = 0;
  size_t capacity = 0;
  std::byte* mapping = nullptr;  // null: from aligned_alloc
  size_t mapping_bytes = 0;
};

std::byte* mapAligned(size_t bytes) {
  const size_t reserved = bytes + kHugePage;
  void* raw = mmap(nullptr, reserved, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(raw);
  const size_t misfit = reinterpret_cast<uintptr_t>(begin) % kHugePage;
  const size_t skipped = misfit == 0 ? 0 : kHugePage - misfit;
  if (skipped != 0) munmap(begin, skipped);
  munmap(begin + skipped + bytes, reserved - skipped - bytes);
  madvise(begin + skipped, bytes, MADV_HUGEPAGE);  // a refusal only costs speed
  return begin + skipped;
}

Block* createLarge(SizeClass wanted, size_t stagger) {
  const size_t bytes = roundUp(wanted.bytes + kStaggerRange + kPadding, kHugePage);
  std::byte* mapping = mapAligned(bytes);
  if (mapping == nullptr) return nullptr;
  return new Block{mapping + stagger, wanted.index, wanted.bytes, mapping, bytes};
}

Block* createSmall(SizeClass wanted) {
  void* raw = std::aligned_alloc(kAlignment, roundUp(wanted.bytes + kPadding, kAlignment));
  if (raw == nullptr) return nullptr;
  return new Block{static_cast<std::byte*>(raw), wanted.index, wanted.bytes, nullptr, 0};
}

void destroy(Block* block) {
  if (block->mapping != nullptr) {
    munmap(block->mapping, block->mapping_bytes);
  } else {
    std::free(block->host);
  }
  delete block;
}

// Physical memory, or the limit of the container we run in.
size_t defaultBudget() {
  size_t total =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGE_SIZE));
  std::ifstream limit_file("/sys/fs/cgroup/memory.max");
  size_t limit = 0;
  if (limit_file >> limit && limit != 0) total = std::min(total, limit);
  return total / 4 * 3;
}

// The memory that the system can still give without taking program text and files out of memory
// again and again. Without swap that is no end, but a standstill of minutes. Several processes with
// a budget each come to this. Unlimited if the system does not say.
size_t availableMemory() {
  std::ifstream lines("/proc/meminfo");
  for (std::string name, unit; lines >> name;) {
    size_t kilobytes = 0;
    if (!(lines >> kilobytes) || !std::getline(lines, unit)) break;
    if (name != "MemAvailable:") continue;
    const size_t reserve = defaultBudget() / 32;
    return kilobytes * 1024 - std::min(kilobytes * 1024, reserve);
  }
  return SIZE_MAX;
}

class HostPool final : public Memory {
 public:
  HostPool() : budget_(defaultBudget()) {}

  diag::Result<BufferRef> allocate(size_t bytes) override {
    Block* block = take(bytes);
    if (block == nullptr) return diag::fail(diag::Code::out_of_memory, {}, outOfMemoryText(bytes));
    return std::make_shared<Buffer>(*this, block->host, 0, bytes, block);
  }

  void release(Buffer& buffer) noexcept override {
    auto* block = static_cast<Block*>(buffer.handle());
    const std::lock_guard lock(mutex_);
    live_ -= block->capacity;
    cached_ += block->capacity;
    free_[block->size_class].push_back(block);
  }

  diag::Result<std::monostate> read(const Buffer& from, size_t offset, void* to,
                                    size_t bytes) override {
    HALO_CHECK(offset <= from.bytes() && bytes <= from.bytes() - offset, "read past a buffer");
    if (bytes != 0) std::memcpy(to, from.host() + offset, bytes);
    return std::monostate{};
  }

  bool isHost() const override { return true; }

  void setBudget(size_t bytes) {
    const std::lock_guard lock(mutex_);
    budget_ = bytes;
  }

  HostUsage usage() {
    const std::lock_guard lock(mutex_);
    return {budget_, live_, cached_};
  }

  void releaseCache() {
    const std::lock_guard lock(mutex_);
    dropCache();
  }

 private:
  Block* take(size_t bytes) {
    if (bytes > kLargest) return nullptr;
    const SizeClass wanted = sizeClass(bytes);
    const std::lock_guard lock(mutex_);
    std::vector<Block*>& list = free_[wanted.index];
    if (list.empty() && !makeRoom(wanted)) return nullptr;
    Block* block = nullptr;
    if (list.empty()) {
      block = create(wanted);
      if (block == nullptr) {  // the system is out of memory before the budget is
        dropCache();
        block = create(wanted);
      }
    } else {
      block = list.back();
      list.pop_back();
      cached_ -= block->capacity;
    }
    if (block != nullptr) live_ += block->capacity;
    return block;
  }

  // Within the budget and the system's memory, at the price of the cached blocks if need be.
  bool makeRoom(SizeClass wanted) {
    if (wanted.bytes > budget_ || live_ > budget_ - wanted.bytes) return false;
    if (live_ + cached_ > budget_ - wanted.bytes) dropCache();
    if (wanted.bytes < kWorthAsking || wanted.bytes <= availableMemory()) return true;
    dropCache();
    return wanted.bytes <= availableMemory();
  }

  Block* create(SizeClass wanted) {
    if (wanted.bytes < kHugePage || !kHasMappings) return createSmall(wanted);
    stagger_ = (stagger_ + kStaggerStep) % kStaggerRange;
    return createLarge(wanted, stagger_);
  }

  void dropCache() {
    for (std::vector<Block*>& list : free_) {
      for (Block* block : list) destroy(block);
      list.clear();
    }
    cached_ = 0;
  }

  std::mutex mutex_;
  size_t budget_;
  size_t live_ = 0;
  size_t cached_ = 0;
  size_t stagger_ = 0;
  std::array<std::vector<Block*>, 4 * 64> free_;
};

// Never destroyed: buffers in static storage may be released after it would be.
HostPool& pool() {
  static auto* const kPool = new HostPool;
  return *kPool;
}

}  // namespace

Buffer::~Buffer() { memory_.release(*this); }

Memory& hostMemory() { return pool(); }
void setHostBudget(size_t bytes) { pool().setBudget(bytes); }
HostUsage hostUsage() { return pool().usage(); }
void releaseHostCache() { pool().releaseCache(); }

diag::Result<BufferRef> allocateHost(size_t bytes) { return pool().allocate(bytes); }

std::string needsText(uint64_t bytes) {
  return fmt::format("out of memory: needs {} bytes", bytes);
}
std::string outOfMemoryText(size_t bytes) { return needsText(bytes); }

}  // namespace halo::value
