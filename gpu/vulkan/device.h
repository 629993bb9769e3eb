// Physical devices: what there is, what it can do, which one to use; and the logical device.
// The floor is Vulkan 1.2 with buffer device addresses, scalar block layout and timeline
// semaphores (DESIGN.md 4); everything else is optional and listed in Features.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/vulkan/api.h"
#include "lang/diag/diagnostic.h"

namespace halo::gpu::vulkan {

struct Features {
  bool int8 = false, int16 = false, int64 = false, float16 = false, float64 = false;
  bool storage8 = false, storage16 = false;
  // What may be requested of floats (RELIABILITY.md T9).
  bool signed_zero_nan_f16 = false, signed_zero_nan_f32 = false, signed_zero_nan_f64 = false;
  bool round_even_f16 = false, round_even_f32 = false, round_even_f64 = false;
  bool denormals_f32 = false, denormals_f64 = false;
  bool mixes_up_divisions = false;  // of 64-bit integers: a bug of the driver (raise.h)
  bool is_hardware = false;         // not a software implementation
  bool shuffles = false;            // between invocations of a subgroup, in compute shaders
  uint32_t subgroup_size = 1;
  uint32_t max_workgroup = 0;  // invocations
  uint32_t max_workgroup_size[3] = {};
  uint32_t max_groups[3] = {};
  uint32_t shared_bytes = 0;
  uint32_t push_bytes = 0;
  uint64_t max_allocation = 0;
  double timestamp_ns = 0;  // per tick; 0: no timestamps
};

struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  std::string name;
  std::string type;    // `discrete`, `integrated`, `virtual`, `cpu`, `other`
  std::string driver;  // name and version, part of cache keys
  Features features;
  bool usable = false;
  std::string why_not;
  uint32_t queue_family = 0;
  uint32_t timestamp_bits = 0;
};
std::vector<PhysicalDevice> physicalDevices();

// Best by type (discrete, integrated, virtual, software), among those whose name contains `name` or
// whose type it is.
// Failure: no_device.
diag::Result<PhysicalDevice> choose(const std::string& name);

// A logical device with one compute queue. Shared by everything made on it.
class Device {
 public:
  static diag::Result<std::shared_ptr<Device>> open(const PhysicalDevice& physical);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  VkDevice handle() const { return handle_; }
  VkQueue queue() const { return queue_; }
  const DeviceApi& api() const { return api_; }
  const PhysicalDevice& physical() const { return physical_; }
  const Features& features() const { return physical_.features; }
  // Index of a memory type among `allowed` with all of `wanted`, preferring `preferred`; or -1.
  int memoryType(uint32_t allowed, VkMemoryPropertyFlags wanted,
                 VkMemoryPropertyFlags preferred = 0) const;
  bool isCoherent(int memory_type) const;

 private:
  Device() = default;

  PhysicalDevice physical_;
  VkDevice handle_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  DeviceApi api_;
  VkPhysicalDeviceMemoryProperties memory_{};
};

// A failed Vulkan call as a diagnostic: device_lost, out_of_memory or device_failure.
diag::Failure vulkanFailure(VkResult result, const std::string& what);

}  // namespace halo::gpu::vulkan
