// There are more buffers from time to time, up to a limit. Then the one that was submitted longest
// ago is recorded again.
#include "gpu/vulkan/command_buffers.h"

#include <algorithm>

#include "lang/base/check.h"

namespace halo::gpu::vulkan {
namespace {

// Sessions repeat a few calls at a time. A loop that waits in each iteration has many submissions.
// With one buffer less than a call wants, none of its lists would be found again.
constexpr size_t kCommandBuffers = 512;
constexpr size_t kMadeAtOnce = 16;
constexpr uint64_t kUnderWay = 16;  // submissions that the host does not wait for

}  // namespace

diag::Result<std::unique_ptr<CommandBuffers>> CommandBuffers::make(std::shared_ptr<Device> device,
                                                                   VkPipelineLayout layout) {
  std::unique_ptr<CommandBuffers> made(new CommandBuffers(std::move(device), layout));
  const DeviceApi& api = made->device_->api();
  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = made->device_->physical().queue_family;
  VkResult result = api.CreateCommandPool(made->device_->handle(), &pool, nullptr, &made->pool_);
  if (result != VK_SUCCESS) return vulkanFailure(result, "creating a command pool");
  result = made->addBuffers();
  if (result != VK_SUCCESS) return vulkanFailure(result, "allocating command buffers");
  return made;
}

VkResult CommandBuffers::addBuffers() {
  VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool_;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = kMadeAtOnce;
  VkCommandBuffer buffers[kMadeAtOnce];
  const VkResult result =
      device_->api().AllocateCommandBuffers(device_->handle(), &allocate, buffers);
  if (result != VK_SUCCESS) return result;
  for (VkCommandBuffer buffer : buffers) entries_.push_back({buffer, {}});
  return result;
}

CommandBuffers::~CommandBuffers() {
  if (pool_ != VK_NULL_HANDLE) device_->api().DestroyCommandPool(device_->handle(), pool_, nullptr);
}

// A call that repeats has its lists in the order of the buffers.
CommandBuffers::Entry* CommandBuffers::find(const CommandList& list, uint64_t reached) {
  for (size_t k = 1; k <= entries_.size(); ++k) {
    Entry& entry = entries_[(latest_entry_ + k) % entries_.size()];
    if (entry.is_known && entry.busy_until <= reached && entry.list == list) return &entry;
  }
  return nullptr;
}

// Lists that are not known go first, if the device does not execute them.
std::pair<bool, uint64_t> CommandBuffers::ageOf(const Entry& entry, uint64_t reached) {
  return {entry.is_known || entry.busy_until > reached, entry.busy_until};
}

// One that is not known, if there is one or may be another one.
CommandBuffers::Entry& CommandBuffers::oldest(uint64_t reached) {
  const bool is_any_forgotten = std::any_of(
      entries_.begin(), entries_.end(),
      [&](const Entry& entry) { return !entry.is_known && entry.busy_until <= reached; });
  // Without memory for more, those that there are will do.
  if (!is_any_forgotten && entries_.size() < kCommandBuffers) addBuffers();
  auto found = std::min_element(
      entries_.begin(), entries_.end(),
      [&](const Entry& a, const Entry& b) { return ageOf(a, reached) < ageOf(b, reached); });
  HALO_CHECK(found->busy_until <= reached, "the device executes every command buffer");
  return *found;
}

uint64_t CommandBuffers::firstFree() const {
  return latest_ < kUnderWay ? 0 : latest_ - kUnderWay + 1;
}

void CommandBuffers::forgetLists() {
  for (Entry& entry : entries_) entry.is_known = false;
}

void CommandBuffers::submitted(Entry& entry, uint64_t number) {
  entry.busy_until = latest_ = number;
  latest_entry_ = static_cast<size_t>(&entry - entries_.data());
}

diag::Result<VkCommandBuffer> CommandBuffers::recorded(const CommandList& list, uint64_t next,
                                                       uint64_t reached) {
  if (Entry* entry = find(list, reached)) {
    submitted(*entry, next);
    ++repeats_;
    return entry->buffer;
  }
  Entry& entry = oldest(reached);
  const DeviceApi& api = device_->api();
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  VkResult result = api.BeginCommandBuffer(entry.buffer, &begin);
  if (result == VK_SUCCESS) {
    list.record(api, layout_, entry.buffer);
    result = api.EndCommandBuffer(entry.buffer);
  }
  entry.is_known = result == VK_SUCCESS && list.isRepeatable();
  if (result != VK_SUCCESS) return vulkanFailure(result, "recording commands");
  if (entry.is_known) entry.list = list;
  submitted(entry, next);
  ++recordings_;
  return entry.buffer;
}

}  // namespace halo::gpu::vulkan
