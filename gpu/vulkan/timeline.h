// The timeline semaphore of a queue. Each submission signals the next value; the host and other
// queues wait for values.
#pragma once

#include <chrono>
#include <memory>

#include "gpu/vulkan/device.h"

namespace halo::gpu::vulkan {

class Timeline {
 public:
  // A value of a queue's semaphore; without a semaphore there is nothing to wait for.
  struct Point {
    VkSemaphore semaphore = VK_NULL_HANDLE;
    uint64_t value = 0;
  };

  explicit Timeline(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  ~Timeline();
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;
  diag::Result<std::monostate> make();  // first of all

  VkSemaphore semaphore() const { return semaphore_; }
  uint64_t submitted() const { return submitted_; }  // the value that the last submission signals
  // The largest value that the device has signalled.
  uint64_t reached() const;

  // Submits commands that signal submitted() + 1. Their `stages` wait for `behind`.
  VkResult submit(VkQueue queue, VkCommandBuffer commands, const Point& behind,
                  VkPipelineStageFlags stages);

  // Whether the device signals the value within 5 ms. The host polls; after `spin` it lets other
  // threads go first. A software device is not polled: it works on the processors that would spin.
  bool isReachedSoon(uint64_t value, std::chrono::microseconds spin) const;
  // VK_TIMEOUT: not yet.
  VkResult wait(uint64_t value, uint64_t nanoseconds) const;
  // By the host, of a semaphore that no submission signals. Values only grow.
  VkResult signal(uint64_t value) const;

 private:
  std::shared_ptr<Device> device_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
  uint64_t submitted_ = 0;
};

}  // namespace halo::gpu::vulkan
