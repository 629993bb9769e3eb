// Enumerating, judging and opening devices; choose_device.cpp chooses one.
#include "gpu/vulkan/device.h"

#include <algorithm>

#include "gpu/vulkan/retry.h"
#include "lang/base/check.h"
#include "lang/base/phase.h"

namespace halo::gpu::vulkan {
namespace {

using diag::Code;

// All properties and features that Halo reads, chained so that one call fills them.
struct Query {
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan11Features v11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  VkPhysicalDeviceVulkan11Properties p11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
  VkPhysicalDeviceVulkan12Properties p12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_floats{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT};

  VkPhysicalDeviceExternalMemoryHostPropertiesEXT host_pages{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};

  explicit Query(bool has_atomic_floats, bool has_host_pages = false) {
    features.pNext = &v11;
    v11.pNext = &v12;
    if (has_atomic_floats) v12.pNext = &atomic_floats;
    properties.pNext = &p11;
    p11.pNext = &p12;
    if (has_host_pages) p12.pNext = &host_pages;
  }
};

bool hasExtension(const InstanceApi& api, VkPhysicalDevice device, const std::string& name) {
  uint32_t count = 0;
  api.EnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> all(count);
  api.EnumerateDeviceExtensionProperties(device, nullptr, &count, all.data());
  return std::any_of(all.begin(), all.end(),
                     [&](const VkExtensionProperties& one) { return name == one.extensionName; });
}
bool hasAtomicFloats(const InstanceApi& api, VkPhysicalDevice device) {
  return hasExtension(api, device, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
}

// Processes share pages of the system, not larger ones.
constexpr VkDeviceSize kPage = 4096;

bool takesHostPages(const Query& query) {
  const VkDeviceSize alignment = query.host_pages.minImportedHostPointerAlignment;
  return alignment > 0 && alignment <= kPage;
}

std::string typeName(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return "cpu";
    default:
      return "other";
  }
}

void readSubgroups(const Query& query, Features& f) {
  f.subgroup_size = query.p11.subgroupSize;
  if ((query.p11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) == 0) return;
  auto has = [&](VkSubgroupFeatureFlagBits bit) {
    return (query.p11.subgroupSupportedOperations & bit) != 0;
  };
  f.subgroup_arithmetic = has(VK_SUBGROUP_FEATURE_ARITHMETIC_BIT);
  f.subgroup_ballot = has(VK_SUBGROUP_FEATURE_BALLOT_BIT);
  f.subgroup_shuffle = has(VK_SUBGROUP_FEATURE_SHUFFLE_BIT);
  f.subgroup_shuffle_relative = has(VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT);
}

// The execution modes of float arithmetic (VK_KHR_shader_float_controls).
void readFloatControls(const Query& query, Features& f) {
  f.signed_zero_nan_f16 = query.p12.shaderSignedZeroInfNanPreserveFloat16;
  f.signed_zero_nan_f32 = query.p12.shaderSignedZeroInfNanPreserveFloat32;
  f.signed_zero_nan_f64 = query.p12.shaderSignedZeroInfNanPreserveFloat64;
  f.round_even_f16 = query.p12.shaderRoundingModeRTEFloat16;
  f.round_even_f32 = query.p12.shaderRoundingModeRTEFloat32;
  f.round_even_f64 = query.p12.shaderRoundingModeRTEFloat64;
  f.denormals_f32 = query.p12.shaderDenormPreserveFloat32;
  f.denormals_f64 = query.p12.shaderDenormPreserveFloat64;
  // Widths that go together get the mode all or none.
  auto independence = query.p12.roundingModeIndependence;
  bool f16_and_f64 = f.round_even_f16 && f.round_even_f64;
  if (independence != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL && !f16_and_f64) {
    f.round_even_f16 = f.round_even_f64 = false;
    if (independence == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE) f.round_even_f32 = false;
  }
}

Features readFeatures(const Query& query) {
  Features f;
  const VkPhysicalDeviceLimits& limits = query.properties.properties.limits;
  f.int8 = query.v12.shaderInt8;
  f.int16 = query.features.features.shaderInt16;
  f.int64 = query.features.features.shaderInt64;
  f.float16 = query.v12.shaderFloat16;
  f.float64 = query.features.features.shaderFloat64;
  f.storage8 = query.v12.storageBuffer8BitAccess;
  f.storage16 = query.v11.storageBuffer16BitAccess;
  readSubgroups(query, f);
  f.memory_model = query.v12.vulkanMemoryModel && query.v12.vulkanMemoryModelDeviceScope;
  f.atomics_int64 = query.v12.shaderBufferInt64Atomics;
  f.atomics_f32 = query.atomic_floats.shaderBufferFloat32AtomicAdd;
  f.sparse = query.features.features.sparseBinding;
  f.host_pages = takesHostPages(query);
  readFloatControls(query, f);
  if (query.p12.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY) {  // seen with 580.159 on an H200
    f.denormals_f32 = true;  // the mode is not offered, but obeyed; without it f32 is flushed
    f.mixes_up_divisions = true;
    f.extrema_f32 = true;  // tests/exec/extrema_of_floats.fut
  }
  f.is_hardware = query.properties.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
  f.max_workgroup = limits.maxComputeWorkGroupInvocations;
  std::copy_n(limits.maxComputeWorkGroupSize, 3, f.max_workgroup_size);
  std::copy_n(limits.maxComputeWorkGroupCount, 3, f.max_groups);
  f.shared_bytes = limits.maxComputeSharedMemorySize;
  f.push_bytes = limits.maxPushConstantsSize;
  f.max_allocation = query.p11.maxMemoryAllocationSize;
  f.timestamp_ns = limits.timestampPeriod;
  return f;
}

// The missing part of the floor, or an empty text.
std::string missing(const Query& query) {
  if (query.properties.properties.apiVersion < VK_API_VERSION_1_2) return "Vulkan 1.2";
  if (!query.v12.bufferDeviceAddress) return "bufferDeviceAddress";
  if (!query.v12.scalarBlockLayout) return "scalarBlockLayout";
  if (!query.v12.timelineSemaphore) return "timelineSemaphore";
  return "";
}

// A family with compute, preferably without graphics; -1 if there is none.
int computeFamily(const InstanceApi& api, VkPhysicalDevice device, uint32_t* timestamp_bits,
                  bool* sparse) {
  uint32_t count = 0;
  api.GetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  api.GetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  int best = -1;
  for (uint32_t i = 0; i < count; ++i) {
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) continue;
    bool has_graphics = (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
    if (best >= 0 && has_graphics) continue;
    best = static_cast<int>(i);
    *timestamp_bits = families[i].timestampValidBits;
    *sparse = (families[i].queueFlags & VK_QUEUE_SPARSE_BINDING_BIT) != 0;
    if (!has_graphics) break;
  }
  return best;
}

// A family that copies and does nothing else: its copies overlap kernels. -1: there is none.
int copyFamily(const InstanceApi& api, VkPhysicalDevice device) {
  constexpr VkQueueFlags kOthers = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT;
  uint32_t count = 0;
  api.GetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  api.GetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  for (uint32_t i = 0; i < count; ++i) {
    const VkQueueFlags flags = families[i].queueFlags;
    if ((flags & VK_QUEUE_TRANSFER_BIT) != 0 && (flags & kOthers) == 0) return static_cast<int>(i);
  }
  return -1;
}

uint64_t deviceMemory(const InstanceApi& api, VkPhysicalDevice handle) {
  VkPhysicalDeviceMemoryProperties memory;
  api.GetPhysicalDeviceMemoryProperties(handle, &memory);
  uint64_t most = 0;
  for (uint32_t k = 0; k < memory.memoryHeapCount; ++k) {
    const VkMemoryHeap& heap = memory.memoryHeaps[k];
    const bool is_local = (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
    if (is_local) most = std::max<uint64_t>(most, heap.size);
  }
  return most;
}

// Kernels that use matrices compute with these types, and have no other spelling.
bool takesMatrices(const Features& f) {
  return f.memory_model && f.float16 && f.storage16 && f.int16 && f.int8 && f.storage8 && f.int64 &&
         f.shuffles();
}

PhysicalDevice describe(const InstanceApi& api, VkPhysicalDevice handle) {
  Query query(hasAtomicFloats(api, handle),
              hasExtension(api, handle, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME));
  api.GetPhysicalDeviceProperties2(handle, &query.properties);
  api.GetPhysicalDeviceFeatures2(handle, &query.features);
  PhysicalDevice device;
  device.handle = handle;
  device.takes_files = hasExtension(api, handle, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
  device.name = query.properties.properties.deviceName;
  device.type = typeName(query.properties.properties.deviceType);
  device.driver = std::string(query.p12.driverName) + " " + query.p12.driverInfo;
  device.features = readFeatures(query);
  device.features.memory_bytes = deviceMemory(api, handle);
  device.matrices = matricesOf(handle);
  if (takesMatrices(device.features) && device.matrices.form != MatrixForm::kNone) {
    takeMatrices(device.matrices.shapes, device.features);
  }
  device.why_not = missing(query);
  bool sparse = false;
  int family = computeFamily(api, handle, &device.timestamp_bits, &sparse);
  device.features.sparse = device.features.sparse && sparse;
  const int copies = copyFamily(api, handle);
  device.features.copy_queue = copies >= 0;
  device.copy_family = static_cast<uint32_t>(std::max(copies, 0));
  device.features = limited(device.features);
  if (device.timestamp_bits == 0) device.features.timestamp_ns = 0;
  if (family < 0) device.why_not = "a compute queue";
  device.queue_family = static_cast<uint32_t>(std::max(family, 0));
  device.families[0] = device.queue_family, device.families[1] = device.copy_family;
  device.usable = device.why_not.empty();
  if (!device.usable) device.why_not = "it lacks " + device.why_not;
  return device;
}

bool copiesFromPages(const PhysicalDevice& device) {
  return device.features.host_pages && (device.type == "integrated" || device.type == "cpu");
}

}  // namespace

bool& sharesRows() {
  static bool shares = false;
  return shares;
}

std::vector<PhysicalDevice> physicalDevices() {
  std::vector<PhysicalDevice> devices;
  const base::Phase phase("look for devices");
  const Instance* vulkan = instance();
  if (vulkan == nullptr) return devices;
  uint32_t count = 0;
  if (vulkan->api.EnumeratePhysicalDevices(vulkan->handle, &count, nullptr) != VK_SUCCESS) {
    return devices;
  }
  std::vector<VkPhysicalDevice> handles(count);
  const VkResult listed =
      vulkan->api.EnumeratePhysicalDevices(vulkan->handle, &count, handles.data());
  if (listed != VK_SUCCESS && listed != VK_INCOMPLETE) return devices;
  handles.resize(count);
  for (VkPhysicalDevice handle : handles) devices.push_back(describe(vulkan->api, handle));
  return devices;
}

namespace {

// Those features of the device that we may use, nothing else.
void enable(const Features& has, Query& wanted) {
  wanted.features.features.shaderInt64 = has.int64;
  wanted.features.features.shaderInt16 = has.int16;
  wanted.features.features.shaderFloat64 = has.float64;
  wanted.features.features.sparseBinding = has.sparse;
  wanted.v11.storageBuffer16BitAccess = has.storage16;
  wanted.v12.shaderInt8 = has.int8;
  wanted.v12.shaderFloat16 = has.float16;
  wanted.v12.storageBuffer8BitAccess = has.storage8;
  wanted.v12.shaderBufferInt64Atomics = has.atomics_int64;
  wanted.atomic_floats.shaderBufferFloat32AtomicAdd = has.atomics_f32;
  wanted.atomic_floats.shaderBufferFloat32Atomics = has.atomics_f32;
  wanted.v12.bufferDeviceAddress = VK_TRUE;
  wanted.v12.scalarBlockLayout = VK_TRUE;
  wanted.v12.timelineSemaphore = VK_TRUE;
  wanted.v12.vulkanMemoryModel = has.memory_model;
  wanted.v12.vulkanMemoryModelDeviceScope = has.memory_model;
}

std::vector<const char*> extensionsOf(const PhysicalDevice& physical) {
  const Features& has = physical.features;
  std::vector<const char*> extensions;
  if (has.atomics_f32) extensions.push_back(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
  if (has.has_matrices()) extensions.push_back(extensionName(physical.matrices.form));
  if ((sharesRows() && has.host_pages) || copiesFromPages(physical)) {
    extensions.push_back(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
  }
  if (sharesRows() && physical.takes_files) {
    extensions.push_back(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
  }
  return extensions;
}

bool hasCopyQueue(const PhysicalDevice& physical) {
  return sharesRows() && physical.features.copy_queue;
}

VkResult create(const Instance& vulkan, const PhysicalDevice& physical, VkDevice& handle) {
  const Features& has = physical.features;
  Query wanted(has.atomics_f32);
  enable(has, wanted);
  auto matrices = matrixFeatures(physical.matrices.form);
  if (has.has_matrices()) {
    matrices.pNext = wanted.features.pNext;
    wanted.features.pNext = &matrices;
  }
  float priority = 1;
  VkDeviceQueueCreateInfo queues[2];
  for (VkDeviceQueueCreateInfo& queue : queues) {
    queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
  }
  queues[0].queueFamilyIndex = physical.queue_family;
  queues[1].queueFamilyIndex = physical.copy_family;
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = &wanted.features;
  info.queueCreateInfoCount = hasCopyQueue(physical) ? 2 : 1;
  info.pQueueCreateInfos = queues;
  const std::vector<const char*> extensions = extensionsOf(physical);
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  const base::Phase phase("create device");
  return vulkan.api.CreateDevice(physical.handle, &info, nullptr, &handle);
}

}  // namespace

diag::Result<std::shared_ptr<Device>> Device::open(const PhysicalDevice& physical) {
  const Instance* vulkan = instance();
  HALO_CHECK(vulkan != nullptr, "a physical device without an instance");
  std::shared_ptr<Device> device(new Device);
  device->physical_ = physical;
  const VkResult made =
      retryInitialisation([&] { return create(*vulkan, physical, device->handle_); });
  if (made != VK_SUCCESS) return vulkanFailure(made, "opening `" + physical.name + "`");
#define HALO_LOAD(name) \
  device->api_.name =   \
      reinterpret_cast<PFN_vk##name>(vulkan->api.GetDeviceProcAddr(device->handle_, "vk" #name));
  HALO_VULKAN_DEVICE_FUNCTIONS(HALO_LOAD)
  HALO_LOAD(SetDebugUtilsObjectNameEXT)
  HALO_LOAD(GetMemoryHostPointerPropertiesEXT)
#undef HALO_LOAD
  device->api_.GetDeviceQueue(device->handle_, physical.queue_family, 0, &device->queue_);
  if (hasCopyQueue(physical)) {
    device->api_.GetDeviceQueue(device->handle_, physical.copy_family, 0, &device->copy_queue_);
  }
  vulkan->api.GetPhysicalDeviceMemoryProperties(physical.handle, &device->memory_);
  return device;
}

Device::~Device() {
  if (handle_ == VK_NULL_HANDLE) return;
  api_.DeviceWaitIdle(handle_);
  api_.DestroyDevice(handle_, nullptr);
}

int Device::memoryType(uint32_t allowed, VkMemoryPropertyFlags wanted,
                       VkMemoryPropertyFlags preferred) const {
  for (VkMemoryPropertyFlags flags : {wanted | preferred, wanted}) {
    for (uint32_t i = 0; i < memory_.memoryTypeCount; ++i) {
      bool fits = (memory_.memoryTypes[i].propertyFlags & flags) == flags;
      if ((allowed & (1u << i)) != 0 && fits) return static_cast<int>(i);
    }
  }
  return -1;
}

bool Device::isCoherent(int memory_type) const {
  return (memory_.memoryTypes[memory_type].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) !=
         0;
}

bool Device::sharesHostMemory() const { return copiesFromPages(physical_); }

diag::Failure vulkanFailure(VkResult result, const std::string& what) {
  Code code = Code::device_failure;
  if (result == VK_ERROR_DEVICE_LOST) code = Code::device_lost;
  if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY)
    code = Code::out_of_memory;
  return diag::fail(
      code, {},
      what + ": " + resultName(result) + " (" + std::to_string(static_cast<int>(result)) + ")");
}

}  // namespace halo::gpu::vulkan
