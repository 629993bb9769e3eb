// The diagnostics of failed Vulkan calls.
#include <doctest/doctest.h>

#include "gpu/vulkan/device.h"

namespace halo::gpu::vulkan {

using diag::Code;

TEST_CASE("vulkan: failures as diagnostics") {
  auto codeOf = [](VkResult result) {
    return vulkanFailure(result, "submitting work").value().code;
  };
  CHECK(codeOf(VK_ERROR_DEVICE_LOST) == Code::device_lost);
  CHECK(codeOf(VK_ERROR_INITIALIZATION_FAILED) == Code::device_failure);
  CHECK(codeOf(VK_ERROR_OUT_OF_DEVICE_MEMORY) == Code::out_of_memory);
  CHECK(vulkanFailure(VK_ERROR_DEVICE_LOST, "submitting work").value().message.find("lost") !=
        std::string::npos);
}

}  // namespace halo::gpu::vulkan
