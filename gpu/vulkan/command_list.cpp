// Commands in words: payloads have no padding, so that equal commands have equal words.
#include "gpu/vulkan/command_list.h"

#include <cstring>
#include <type_traits>

#include "lang/base/check.h"

namespace halo::gpu::vulkan {
namespace {

enum Kind : uint64_t { kLaunch, kBarrier, kCopy, kClear, kResetQueries, kStamp };

// Handles of pipelines are given out again; ids are not.
struct LaunchPayload {
  VkPipeline pipeline;
  uint64_t id;
  uint32_t groups[3];
  uint32_t pushed;  // bytes that follow
};
struct CopyPayload {
  VkBuffer from, to;
  VkBufferCopy region;
};
struct ClearPayload {
  VkBuffer buffer;
  uint64_t offset, bytes;
};
struct QueriesPayload {
  VkQueryPool pool;
  uint32_t first, count;
};
struct StampPayload {
  VkQueryPool pool;
  uint32_t query, stage;
};

size_t wordsFor(size_t bytes) { return (bytes + 7) / 8; }

void recordBarrier(const DeviceApi& api, VkCommandBuffer buffer, CommandList::Barrier kind) {
  const VkPipelineStageFlags stages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                          VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  VkPipelineStageFlags behind = stages;
  if (kind == CommandList::Barrier::kHost) {
    barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    behind = VK_PIPELINE_STAGE_HOST_BIT;
  }
  VkPipelineStageFlags before = stages;
  if (kind == CommandList::Barrier::kFromHost) {
    barrier.srcAccessMask = VK_ACCESS_HOST_WRITE_BIT;
    before |= VK_PIPELINE_STAGE_HOST_BIT;
  }
  api.CmdPipelineBarrier(buffer, before, behind, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

// Reads the bytes that put() wrote.
class Words {
 public:
  explicit Words(const std::vector<uint64_t>& words) : words_(words) {}
  bool isAtEnd() const { return at_ == words_.size(); }
  uint64_t kind() { return words_[at_++]; }
  template <typename Payload>
  Payload payload() {
    Payload payload;
    std::memcpy(&payload, &words_[at_], sizeof payload);
    at_ += wordsFor(sizeof payload);
    return payload;
  }
  const uint64_t* more(size_t bytes) {
    const uint64_t* begin = words_.data() + at_;
    at_ += wordsFor(bytes);
    return begin;
  }

 private:
  const std::vector<uint64_t>& words_;
  size_t at_ = 0;
};

}  // namespace

template <typename Payload>
void CommandList::put(uint64_t kind, const Payload& payload, std::span<const std::byte> more) {
  static_assert(std::has_unique_object_representations_v<Payload>);
  const size_t at = words_.size() + 1;
  words_.push_back(kind);
  words_.resize(at + wordsFor(sizeof payload) + wordsFor(more.size()), 0);
  std::memcpy(&words_[at], &payload, sizeof payload);
  if (!more.empty()) std::memcpy(&words_[at + wordsFor(sizeof payload)], more.data(), more.size());
}

void CommandList::launch(const Pipeline& pipeline, const uint32_t groups[3],
                         std::span<const std::byte> pushed) {
  HALO_CHECK(pushed.size() <= kMaxPushBytes, "too many bytes to push");
  put(kLaunch,
      LaunchPayload{pipeline.handle,
                    pipeline.id,
                    {groups[0], groups[1], groups[2]},
                    static_cast<uint32_t>(pushed.size())},
      pushed);
}
void CommandList::barrier(Barrier kind) { put(kBarrier, kind); }
void CommandList::copy(VkBuffer from, VkBuffer to, const VkBufferCopy& region) {
  put(kCopy, CopyPayload{from, to, region});
}
void CommandList::clear(VkBuffer buffer, uint64_t offset, uint64_t bytes) {
  put(kClear, ClearPayload{buffer, offset, bytes});
}
void CommandList::resetQueries(VkQueryPool pool, uint32_t first, uint32_t count) {
  put(kResetQueries, QueriesPayload{pool, first, count});
  has_queries_ = true;
}
void CommandList::stamp(VkQueryPool pool, uint32_t query, VkPipelineStageFlagBits stage) {
  put(kStamp, StampPayload{pool, query, static_cast<uint32_t>(stage)});
  has_queries_ = true;
}

void CommandList::reset() {
  words_.clear();
  has_queries_ = false;
}

namespace {

void recordLaunch(const DeviceApi& api, VkPipelineLayout layout, VkCommandBuffer buffer,
                  const LaunchPayload& launch, const uint64_t* pushed) {
  api.CmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, launch.pipeline);
  if (launch.pushed > 0) {
    api.CmdPushConstants(buffer, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, launch.pushed, pushed);
  }
  api.CmdDispatch(buffer, launch.groups[0], launch.groups[1], launch.groups[2]);
}

}  // namespace

void CommandList::record(const DeviceApi& api, VkPipelineLayout layout,
                         VkCommandBuffer buffer) const {
  Words words(words_);
  while (!words.isAtEnd()) {
    switch (words.kind()) {
      case kLaunch: {
        const auto launch = words.payload<LaunchPayload>();
        recordLaunch(api, layout, buffer, launch, words.more(launch.pushed));
        break;
      }
      case kBarrier:
        recordBarrier(api, buffer, words.payload<Barrier>());
        break;
      case kCopy: {
        const auto copy = words.payload<CopyPayload>();
        api.CmdCopyBuffer(buffer, copy.from, copy.to, 1, &copy.region);
        break;
      }
      case kClear: {
        const auto clear = words.payload<ClearPayload>();
        api.CmdFillBuffer(buffer, clear.buffer, clear.offset, clear.bytes, 0);
        break;
      }
      case kResetQueries: {
        const auto queries = words.payload<QueriesPayload>();
        api.CmdResetQueryPool(buffer, queries.pool, queries.first, queries.count);
        break;
      }
      case kStamp: {
        const auto stamp = words.payload<StampPayload>();
        api.CmdWriteTimestamp(buffer, static_cast<VkPipelineStageFlagBits>(stamp.stage), stamp.pool,
                              stamp.query);
        break;
      }
      default:
        HALO_UNREACHABLE("kind of a command");
    }
  }
}

}  // namespace halo::gpu::vulkan
