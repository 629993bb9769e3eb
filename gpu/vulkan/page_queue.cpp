// Submissions of the queue for copies.
#include "gpu/vulkan/page_queue.h"

#include <algorithm>
#include <utility>

#include "lang/base/check.h"

namespace halo::gpu::vulkan {
namespace {

using diag::Code;
using Done = diag::Result<std::monostate>;

constexpr uint64_t kMaxNs = 30'000'000'000;  // concurrently with any kernel

// The pages' contents at the time that copies run: they may have waited for them.
void fromHost(const DeviceApi& api, VkCommandBuffer commands) {
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_HOST_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  api.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void toHost(const DeviceApi& api, VkCommandBuffer commands) {
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  api.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace

diag::Result<std::unique_ptr<PageQueue>> PageQueue::make(std::shared_ptr<Device> device,
                                                         DeviceMemory& memory, Stream& stream) {
  std::unique_ptr<PageQueue> queue(new PageQueue(std::move(device), memory, stream));
  if (auto done = queue->told_.make(); !done) return diag::Failure(done.error());
  if (!queue->isBeside()) return queue;
  if (auto done = queue->setUp(); !done) return diag::Failure(done.error());
  return queue;
}

Done PageQueue::setUp() {
  const DeviceApi& api = device_->api();
  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = device_->physical().copy_family;
  VkResult result = api.CreateCommandPool(device_->handle(), &pool, nullptr, &pool_);
  if (result != VK_SUCCESS) return vulkanFailure(result, "creating a command pool");
  VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool_;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = static_cast<uint32_t>(buffers_.size());
  result = api.AllocateCommandBuffers(device_->handle(), &allocate, buffers_.data());
  if (result != VK_SUCCESS) return vulkanFailure(result, "allocating command buffers");
  return timeline_.make();
}

PageQueue::~PageQueue() {
  (void)settle(false);
  if (!imported_.empty()) finishAll();
  for (Staging& staging : imported_) destroyStaging(*device_, staging);
  const DeviceApi& api = device_->api();
  if (pool_ != VK_NULL_HANDLE) api.DestroyCommandPool(device_->handle(), pool_, nullptr);
}

Done PageQueue::import(std::byte* pages, uint64_t bytes) {
  auto imported = importPages(*device_, pages, bytes);
  if (!imported) return diag::Failure(imported.error());
  imported_.push_back(*imported);
  return std::monostate{};
}

void PageQueue::forget(const std::byte* pages) noexcept {
  const auto found = std::find_if(imported_.begin(), imported_.end(),
                                  [&](const Staging& staging) { return staging.mapped == pages; });
  if (found == imported_.end()) return;
  finishAll();
  destroyStaging(*device_, *found);
  imported_.erase(found);
}

// No command that names pages is left.
void PageQueue::finishAll() noexcept {
  if (!stream_.isLost()) {
    (void)stream_.finish();
    if (isBeside()) (void)wait(timeline_.submitted());
  }
  stream_.forgetLists();
}

VkBuffer PageQueue::bufferOf(const std::byte* pages) const {
  auto found = std::find_if(imported_.begin(), imported_.end(),
                            [&](const Staging& staging) { return staging.mapped == pages; });
  HALO_CHECK(found != imported_.end(), "pages that are not imported");
  return found->buffer;
}

Done PageQueue::out(const std::byte* pages, std::span<const Piece> pieces) {
  if (isBeside()) {
    auto behind = stream_.flush();
    if (!behind) return diag::Failure(behind.error());
    behind_none_ = pieces.empty() ? *behind : 0;
    if (pieces.empty()) return std::monostate{};
    const Source source{pages, {pieces.begin(), pieces.end()}};
    return submit({&source, 1}, true, {stream_.semaphore(), *behind});
  }
  if (pieces.empty()) return std::monostate{};
  const VkBuffer buffer = bufferOf(pages);
  for (const Piece& piece : pieces) {
    if (auto done = stream_.copyOut(buffer, piece.at, piece.address, piece.bytes); !done) {
      return done;
    }
  }
  return std::monostate{};
}

Done PageQueue::finishOut() {
  return isBeside() ? waitForOut(last_out_, behind_none_) : stream_.finish();
}

// Copies in overwrite memory that commands before out() may have used. A rank without rows has no
// copy out that comes behind these.
Done PageQueue::waitForOut(uint64_t value, uint64_t stream) {
  if (auto done = wait(value); !done || stream == 0) return done;
  return stream_.waitFor(stream);
}

Done PageQueue::in(const std::byte* pages, std::span<const Piece> pieces) {
  if (pieces.empty()) return std::monostate{};
  if (isBeside()) {
    const Source source{pages, {pieces.begin(), pieces.end()}};
    if (auto done = submit({&source, 1}, false, {}); !done) return done;
    return stream_.comeBehind(timeline_.semaphore(), timeline_.submitted());
  }
  const VkBuffer buffer = bufferOf(pages);
  for (const Piece& piece : pieces) {
    if (auto done = stream_.copyIn(buffer, piece.at, piece.address, piece.bytes); !done) {
      return done;
    }
  }
  return std::monostate{};
}

Done PageQueue::inLater(std::span<const Source> sources, Arrive arrive) {
  Later later{last_out_, behind_none_, last_told_ + 1, std::move(arrive)};
  if (!isBeside()) {
    auto flushed = stream_.flush(true);
    if (!flushed) return diag::Failure(flushed.error());
    later.out = *flushed;
  }
  if (auto done = beginLater(sources, later.told); !done) return done;
  last_told_ = later.told;
  later_.push_back(std::move(later));
  stream_.beforeWaits([this] { return settle(); });
  return std::monostate{};
}

Done PageQueue::beginLater(std::span<const Source> sources, uint64_t told) {
  if (isBeside()) {
    if (auto done = submit(sources, false, {told_.semaphore(), told}); !done) return done;
    return stream_.comeBehind(timeline_.semaphore(), timeline_.submitted());
  }
  if (auto done = stream_.comeBehind(told_.semaphore(), told, true); !done) return done;
  for (const Source& source : sources) {
    if (auto done = in(source.pages, source.pieces); !done) return done;
  }
  return std::monostate{};
}

// Others are told whatever happens here, and the device is told that its wait is over.
Done PageQueue::settle(bool hears) {
  if (std::exchange(settles_, true)) return std::monostate{};  // its own waits
  Done all = std::monostate{};
  while (!later_.empty()) {
    const Later later = std::move(later_.front());
    later_.pop_front();
    Done done = isBeside() ? waitForOut(later.out, later.stream) : stream_.waitFor(later.out);
    const bool is_alone = !hears || !all || !done;
    Done arrived = later.arrive(!is_alone);
    if (done) done = std::move(arrived);
    if (all) all = std::move(done);
    const VkResult told = told_.signal(later.told);
    if (all && told != VK_SUCCESS) all = vulkanFailure(told, "signalling a semaphore");
  }
  settles_ = false;
  stream_.beforeWaits(nullptr);
  return all;
}

VkResult PageQueue::record(VkCommandBuffer commands, std::span<const Source> sources, bool is_out) {
  const DeviceApi& api = device_->api();
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  VkResult result = api.BeginCommandBuffer(commands, &begin);
  if (result != VK_SUCCESS) return result;
  if (!is_out) fromHost(api, commands);
  for (const Source& source : sources) {
    const VkBuffer pages = bufferOf(source.pages);
    for (const Piece& piece : source.pieces) {
      const Region region = memory_.find(piece.address);
      HALO_CHECK(region.buffer != VK_NULL_HANDLE, "rows of an unknown region");
      VkBufferCopy copy{region.offset, piece.at, piece.bytes};
      if (!is_out) std::swap(copy.srcOffset, copy.dstOffset);
      api.CmdCopyBuffer(commands, is_out ? region.buffer : pages, is_out ? pages : region.buffer, 1,
                        &copy);
    }
  }
  if (is_out) toHost(api, commands);
  return api.EndCommandBuffer(commands);
}

Done PageQueue::submit(std::span<const Source> sources, bool is_out,
                       const Timeline::Point& behind) {
  const uint64_t value = timeline_.submitted() + 1;
  if (value > buffers_.size()) {
    if (auto done = wait(value - buffers_.size()); !done) return done;
  }
  VkCommandBuffer commands = buffers_[value % buffers_.size()];
  VkResult result = record(commands, sources, is_out);
  if (result == VK_SUCCESS) {
    result =
        timeline_.submit(device_->copyQueue(), commands, behind, VK_PIPELINE_STAGE_TRANSFER_BIT);
  }
  if (result != VK_SUCCESS) return vulkanFailure(result, "submitting copies");
  if (is_out) last_out_ = value;
  return std::monostate{};
}

Done PageQueue::wait(uint64_t value) {
  if (auto done = settle(); !done) return done;
  if (timeline_.isReachedSoon(value, std::chrono::microseconds(0))) return std::monostate{};
  const VkResult result = timeline_.wait(value, kMaxNs);
  if (result != VK_SUCCESS) return vulkanFailure(result, "waiting for copies");
  return std::monostate{};
}

}  // namespace halo::gpu::vulkan
