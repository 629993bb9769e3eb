// The diagnostics of failed Vulkan calls; calls that are made again.
#include <doctest/doctest.h>

#include "gpu/vulkan/device.h"
#include "gpu/vulkan/retry.h"

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

TEST_CASE("vulkan: initialisation that fails for a moment is tried again") {
  int calls = 0;
  auto failing = [&calls](int failures, VkResult result) {
    calls = 0;
    auto create = [&calls, failures, result] { return ++calls <= failures ? result : VK_SUCCESS; };
    return retryInitialisation(create, std::chrono::milliseconds(0));
  };
  CHECK(failing(2, VK_ERROR_INITIALIZATION_FAILED) == VK_SUCCESS);
  CHECK(calls == 3);
  CHECK(failing(100, VK_ERROR_INITIALIZATION_FAILED) == VK_ERROR_INITIALIZATION_FAILED);
  CHECK(calls == 5);
  CHECK(failing(1, VK_ERROR_DEVICE_LOST) == VK_ERROR_DEVICE_LOST);
  CHECK(calls == 1);
}

}  // namespace halo::gpu::vulkan
