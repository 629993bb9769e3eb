#include "gpu/vulkan/retry.h"

#include <thread>

namespace halo::gpu::vulkan {

VkResult retryInitialisation(const std::function<VkResult()>& create,
                             std::chrono::milliseconds pause) {
  const int more_calls = 4;
  VkResult made = create();
  for (int call = 0; call < more_calls && made == VK_ERROR_INITIALIZATION_FAILED; ++call) {
    std::this_thread::sleep_for(pause);
    pause *= 2;
    made = create();
  }
  return made;
}

}  // namespace halo::gpu::vulkan
