// The Vulkan functions Halo uses, loaded at run time: the binary starts on machines without a
// Vulkan loader. Two tables, because device functions are fetched per device.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include <string>

namespace halo::gpu::vulkan {

#define HALO_VULKAN_INSTANCE_FUNCTIONS(X)   \
  X(DestroyInstance)                        \
  X(EnumeratePhysicalDevices)               \
  X(GetPhysicalDeviceProperties2)           \
  X(GetPhysicalDeviceFeatures2)             \
  X(GetPhysicalDeviceMemoryProperties)      \
  X(GetPhysicalDeviceQueueFamilyProperties) \
  X(EnumerateDeviceExtensionProperties)     \
  X(CreateDevice)                           \
  X(GetDeviceProcAddr)

#define HALO_VULKAN_DEVICE_FUNCTIONS(X) \
  X(DestroyDevice)                      \
  X(GetDeviceQueue)                     \
  X(DeviceWaitIdle)                     \
  X(CreateBuffer)                       \
  X(DestroyBuffer)                      \
  X(GetBufferMemoryRequirements)        \
  X(CreateFence)                        \
  X(DestroyFence)                       \
  X(WaitForFences)                      \
  X(QueueBindSparse)                    \
  X(GetBufferDeviceAddress)             \
  X(AllocateMemory)                     \
  X(FreeMemory)                         \
  X(BindBufferMemory)                   \
  X(MapMemory)                          \
  X(InvalidateMappedMemoryRanges)       \
  X(CreateShaderModule)                 \
  X(DestroyShaderModule)                \
  X(CreatePipelineLayout)               \
  X(DestroyPipelineLayout)              \
  X(CreateComputePipelines)             \
  X(DestroyPipeline)                    \
  X(CreatePipelineCache)                \
  X(GetPipelineCacheData)               \
  X(DestroyPipelineCache)               \
  X(CreateCommandPool)                  \
  X(DestroyCommandPool)                 \
  X(AllocateCommandBuffers)             \
  X(BeginCommandBuffer)                 \
  X(EndCommandBuffer)                   \
  X(CmdBindPipeline)                    \
  X(CmdPushConstants)                   \
  X(CmdDispatch)                        \
  X(CmdCopyBuffer)                      \
  X(CmdFillBuffer)                      \
  X(CmdPipelineBarrier)                 \
  X(CmdResetQueryPool)                  \
  X(CmdWriteTimestamp)                  \
  X(CreateQueryPool)                    \
  X(DestroyQueryPool)                   \
  X(GetQueryPoolResults)                \
  X(CreateSemaphore)                    \
  X(DestroySemaphore)                   \
  X(WaitSemaphores)                     \
  X(SignalSemaphore)                    \
  X(GetSemaphoreCounterValue)           \
  X(QueueSubmit)

struct InstanceApi {
#define HALO_DECLARE(name) PFN_vk##name name = nullptr;
  HALO_VULKAN_INSTANCE_FUNCTIONS(HALO_DECLARE)
  // Null without a driver that has the extension (matrices.h).
  PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesNV
      GetPhysicalDeviceCooperativeMatrixPropertiesNV = nullptr;
  PFN_vkVoidFunction GetPhysicalDeviceCooperativeMatrixPropertiesKHR = nullptr;
};
struct DeviceApi {
  HALO_VULKAN_DEVICE_FUNCTIONS(HALO_DECLARE)
  // Null without the extension.
  PFN_vkGetMemoryHostPointerPropertiesEXT GetMemoryHostPointerPropertiesEXT = nullptr;
  PFN_vkSetDebugUtilsObjectNameEXT SetDebugUtilsObjectNameEXT =
      nullptr;  // null without debug utils
#undef HALO_DECLARE
};

// The process's instance, made on first use; null when there is no loader or no driver. With
// HALO_VULKAN_VALIDATION in the environment it has the validation layers, also those of
// synchronisation, and any message of theirs ends the process.
struct Instance {
  VkInstance handle = VK_NULL_HANDLE;
  InstanceApi api;
};
const Instance* instance();

// `1.3.239`; empty without a loader.
std::string loaderVersion();

const char* resultName(VkResult result);

}  // namespace halo::gpu::vulkan
