// Opening the loader and fetching entry points.
#include "gpu/vulkan/api.h"

#include <dlfcn.h>

namespace halo::gpu::vulkan {
namespace {

// Never destroyed: drivers may still have threads when the process ends.
Instance* makeInstance() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  auto get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  if (get == nullptr) return nullptr;
  auto create = reinterpret_cast<PFN_vkCreateInstance>(get(VK_NULL_HANDLE, "vkCreateInstance"));
  if (create == nullptr) return nullptr;
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "halo";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  auto made = new Instance;
  if (create(&info, nullptr, &made->handle) != VK_SUCCESS) {
    delete made;
    return nullptr;
  }
#define HALO_LOAD(name) \
  made->api.name = reinterpret_cast<PFN_vk##name>(get(made->handle, "vk" #name));
  HALO_VULKAN_INSTANCE_FUNCTIONS(HALO_LOAD)
#undef HALO_LOAD
  return made;
}

}  // namespace

const Instance* instance() {
  static const Instance* const made = makeInstance();
  return made;
}

const char* resultName(VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "out of host memory";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "out of device memory";
    case VK_ERROR_DEVICE_LOST:
      return "device lost";
    case VK_ERROR_INITIALIZATION_FAILED:
      return "initialisation failed";
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return "feature not present";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
      return "extension not present";
    case VK_TIMEOUT:
      return "timeout";
    default:
      return "Vulkan error";
  }
}

}  // namespace halo::gpu::vulkan
