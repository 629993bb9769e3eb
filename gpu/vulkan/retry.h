// Opening a device that other processes open at the same moment.
#pragma once
#include <vulkan/vulkan_core.h>

#include <chrono>
#include <functional>

namespace halo::gpu::vulkan {

/// The result of `create`, called again after a pause while it gives
/// `VK_ERROR_INITIALIZATION_FAILED`, as NVIDIA's driver does while many processes open one device.
/// Four more calls at most; each pause, from `pause` on, is twice the one in front of it.
VkResult retryInitialisation(const std::function<VkResult()>& create,
                             std::chrono::milliseconds pause = std::chrono::milliseconds(50));

}  // namespace halo::gpu::vulkan
