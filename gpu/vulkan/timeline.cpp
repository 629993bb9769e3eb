// Submissions and waits by one timeline semaphore.
#include "gpu/vulkan/timeline.h"

#include <thread>

namespace halo::gpu::vulkan {
namespace {

// To be put to sleep by the driver and woken takes some 20 us. So the host waits awake for calls
// that are shorter than so many times that.
constexpr auto kAwake = std::chrono::milliseconds(5);

}  // namespace

diag::Result<std::monostate> Timeline::make() {
  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  info.pNext = &type;
  const VkResult result =
      device_->api().CreateSemaphore(device_->handle(), &info, nullptr, &semaphore_);
  if (result != VK_SUCCESS) return vulkanFailure(result, "creating a semaphore");
  return std::monostate{};
}

Timeline::~Timeline() {
  if (semaphore_ == VK_NULL_HANDLE) return;
  device_->api().DestroySemaphore(device_->handle(), semaphore_, nullptr);
}

uint64_t Timeline::reached() const {
  uint64_t reached = 0;
  device_->api().GetSemaphoreCounterValue(device_->handle(), semaphore_, &reached);
  return reached;
}

VkResult Timeline::submit(VkQueue queue, VkCommandBuffer commands, const Point& behind,
                          VkPipelineStageFlags stages) {
  const uint64_t value = submitted_ + 1;
  VkTimelineSemaphoreSubmitInfo timeline{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  timeline.signalSemaphoreValueCount = 1;
  timeline.pSignalSemaphoreValues = &value;
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.pNext = &timeline;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore_;
  if (behind.semaphore != VK_NULL_HANDLE) {
    timeline.waitSemaphoreValueCount = 1;
    timeline.pWaitSemaphoreValues = &behind.value;
    info.waitSemaphoreCount = 1;
    info.pWaitSemaphores = &behind.semaphore;
    info.pWaitDstStageMask = &stages;
  }
  const VkResult result = device_->api().QueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  if (result == VK_SUCCESS) submitted_ = value;
  return result;
}

bool Timeline::isReachedSoon(uint64_t value, std::chrono::microseconds spin) const {
  const auto begin = std::chrono::steady_clock::now();
  auto waited = begin - begin;
  uint64_t reached = 0;
  do {
    if (waited > spin) std::this_thread::yield();
    const VkResult result =
        device_->api().GetSemaphoreCounterValue(device_->handle(), semaphore_, &reached);
    if (result != VK_SUCCESS) return false;
    if (reached >= value) return true;
    waited = std::chrono::steady_clock::now() - begin;
  } while (device_->features().is_hardware && waited < kAwake);
  return false;
}

VkResult Timeline::wait(uint64_t value, uint64_t nanoseconds) const {
  VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &semaphore_;
  info.pValues = &value;
  return device_->api().WaitSemaphores(device_->handle(), &info, nanoseconds);
}

VkResult Timeline::signal(uint64_t value) const {
  VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  info.semaphore = semaphore_;
  info.value = value;
  return device_->api().SignalSemaphore(device_->handle(), &info);
}

}  // namespace halo::gpu::vulkan
