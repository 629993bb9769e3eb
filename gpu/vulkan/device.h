// Physical devices: their list, their features, the choice of one; and the logical device.
// The floor is Vulkan 1.2 with buffer device addresses, scalar block layout and timeline
// semaphores (design.md#device-floor). Everything else is optional and listed in Features.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/vulkan/api.h"
#include "gpu/vulkan/features.h"
#include "gpu/vulkan/matrices/matrices.h"
#include "lang/diag/diagnostic.h"

namespace halo::gpu::vulkan {

struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  std::string name;
  std::string type;    // `discrete`, `integrated`, `virtual`, `cpu`, `other`
  std::string driver;  // name and version, part of cache keys
  Features features;   // as far as the profile allows
  Matrices matrices;   // all that the device has
  bool usable = false;
  std::string why_not;
  uint32_t queue_family = 0;
  uint32_t copy_family = 0;   // if features.copy_queue
  uint32_t families[2] = {};  // both
  uint32_t timestamp_bits = 0;
  bool takes_files = false;  // memory that another interface of its driver has made, as a file
};
std::vector<PhysicalDevice> physicalDevices();

// Best by type (discrete, integrated, virtual, software), among those whose name contains `name` or
// whose type it is. Behind a `#` a number: of several that are equally good, that one, counted
// round. Failure: no_device.
diag::Result<PhysicalDevice> choose(const std::string& name);

// Do devices that are opened from now on take part in a job of several ranks? They get a queue for
// copies and pages of host memory, where they support these.
bool& sharesRows();

// A logical device with one compute queue. Shared by everything made on it.
class Device {
 public:
  static diag::Result<std::shared_ptr<Device>> open(const PhysicalDevice& physical);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  VkDevice handle() const { return handle_; }
  VkQueue queue() const { return queue_; }
  VkQueue copyQueue() const { return copy_queue_; }  // null: there is none
  const DeviceApi& api() const { return api_; }
  const PhysicalDevice& physical() const { return physical_; }
  const Features& features() const { return physical_.features; }
  // Index of a memory type among `allowed` with all of `wanted`, preferring `preferred`; or -1.
  int memoryType(uint32_t allowed, VkMemoryPropertyFlags wanted,
                 VkMemoryPropertyFlags preferred = 0) const;
  bool isCoherent(int memory_type) const;
  // Its memory is the host's, whose pages it copies from.
  bool sharesHostMemory() const;

 private:
  Device() = default;

  PhysicalDevice physical_;
  VkDevice handle_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE, copy_queue_ = VK_NULL_HANDLE;
  DeviceApi api_;
  VkPhysicalDeviceMemoryProperties memory_{};
};

// A failed Vulkan call as a diagnostic: device_lost, out_of_memory or device_failure.
diag::Failure vulkanFailure(VkResult result, const std::string& what);

}  // namespace halo::gpu::vulkan
