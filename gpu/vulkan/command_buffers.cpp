// A fixed number of buffers: the one that was submitted longest ago is recorded again.
#include "gpu/vulkan/command_buffers.h"

#include <algorithm>

#include "lang/base/check.h"

namespace halo::gpu::vulkan {
namespace {

// Sessions repeat a few calls at a time, each of a few submissions.
constexpr size_t kCommandBuffers = 16;

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
  VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = made->pool_;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = kCommandBuffers;
  VkCommandBuffer buffers[kCommandBuffers];
  result = api.AllocateCommandBuffers(made->device_->handle(), &allocate, buffers);
  if (result != VK_SUCCESS) return vulkanFailure(result, "allocating command buffers");
  for (VkCommandBuffer buffer : buffers) made->entries_.push_back({buffer, {}});
  return made;
}

CommandBuffers::~CommandBuffers() {
  if (pool_ != VK_NULL_HANDLE) device_->api().DestroyCommandPool(device_->handle(), pool_, nullptr);
}

CommandBuffers::Entry* CommandBuffers::find(const CommandList& list, uint64_t reached) {
  for (Entry& entry : entries_) {
    if (entry.is_known && entry.busy_until <= reached && entry.list == list) return &entry;
  }
  return nullptr;
}

CommandBuffers::Entry& CommandBuffers::oldest(uint64_t reached) {
  auto found =
      std::min_element(entries_.begin(), entries_.end(),
                       [](const Entry& a, const Entry& b) { return a.busy_until < b.busy_until; });
  HALO_CHECK(found->busy_until <= reached, "the device executes every command buffer");
  return *found;
}

uint64_t CommandBuffers::firstFree() const {
  uint64_t first = entries_[0].busy_until;
  for (const Entry& entry : entries_) first = std::min(first, entry.busy_until);
  return first;
}

void CommandBuffers::forgetLists() {
  for (Entry& entry : entries_) entry.is_known = false;
}

diag::Result<VkCommandBuffer> CommandBuffers::recorded(const CommandList& list, uint64_t next,
                                                       uint64_t reached) {
  if (Entry* entry = find(list, reached)) {
    entry->busy_until = next;
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
  entry.busy_until = next;
  ++recordings_;
  return entry.buffer;
}

}  // namespace halo::gpu::vulkan
