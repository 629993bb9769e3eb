// Opening the loader and fetching entry points.
#include "gpu/vulkan/api.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "lang/base/phase.h"

namespace halo::gpu::vulkan {
namespace {

constexpr char kValidationLayer[] = "VK_LAYER_KHRONOS_validation";

// Programs are valid Vulkan or wrong; mere advice of the layers is information, not a warning.
VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                         VkDebugUtilsMessageTypeFlagsEXT,
                                         const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  std::fprintf(stderr, "halo: Vulkan validation: %s\n", data->pMessage);
  std::abort();
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo() {
  VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = onMessage;
  return info;
}

bool hasExtension(PFN_vkGetInstanceProcAddr get, const char* layer, const std::string& name) {
  auto enumerate = reinterpret_cast<PFN_vkEnumerateInstanceExtensionProperties>(
      get(VK_NULL_HANDLE, "vkEnumerateInstanceExtensionProperties"));
  uint32_t count = 0;
  if (enumerate == nullptr || enumerate(layer, &count, nullptr) != VK_SUCCESS) return false;
  std::vector<VkExtensionProperties> all(count);
  enumerate(layer, &count, all.data());
  return std::any_of(all.begin(), all.end(),
                     [&](const VkExtensionProperties& one) { return name == one.extensionName; });
}

VkResult createInstance(PFN_vkGetInstanceProcAddr get, VkInstance* made) {
  auto create = reinterpret_cast<PFN_vkCreateInstance>(get(VK_NULL_HANDLE, "vkCreateInstance"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "halo";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  const char* layers[] = {kValidationLayer};
  bool validates = std::getenv("HALO_VULKAN_VALIDATION") != nullptr;
  bool has_names = hasExtension(get, nullptr, extensions[0]);
  info.enabledExtensionCount = has_names || validates ? 1 : 0;
  info.ppEnabledExtensionNames = extensions;
  VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo();
  VkValidationFeatureEnableEXT enabled[] = {
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = enabled;
  if (validates) {
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = layers;
    messenger.pNext = &features;
    info.pNext = &messenger;
  }
  VkResult result = create(&info, nullptr, made);
  if (result == VK_ERROR_LAYER_NOT_PRESENT) {
    std::fprintf(stderr, "halo: the package vulkan-validationlayers is not installed\n");
  }
  if (result != VK_SUCCESS || !validates) return result;
  auto listen = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
      get(*made, "vkCreateDebugUtilsMessengerEXT"));
  VkDebugUtilsMessengerCreateInfoEXT for_good = messengerInfo();
  VkDebugUtilsMessengerEXT unused = VK_NULL_HANDLE;
  return listen == nullptr ? VK_ERROR_EXTENSION_NOT_PRESENT
                           : listen(*made, &for_good, nullptr, &unused);
}

// None without a loader.
PFN_vkGetInstanceProcAddr openLoader() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  return reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
}

// Never destroyed: drivers may still have threads when the process ends.
Instance* makeInstance() {
  const base::Phase phase("create instance");
  const PFN_vkGetInstanceProcAddr get = openLoader();
  if (get == nullptr) return nullptr;
  auto made = new Instance;
  if (createInstance(get, &made->handle) != VK_SUCCESS) {
    delete made;
    return nullptr;
  }
#define HALO_LOAD(name) \
  made->api.name = reinterpret_cast<PFN_vk##name>(get(made->handle, "vk" #name));
  HALO_VULKAN_INSTANCE_FUNCTIONS(HALO_LOAD)
  HALO_LOAD(GetPhysicalDeviceCooperativeMatrixPropertiesNV)
  made->api.GetPhysicalDeviceCooperativeMatrixPropertiesKHR =
      get(made->handle, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
#undef HALO_LOAD
  return made;
}

}  // namespace

const Instance* instance() {
  static const Instance* const made = makeInstance();
  return made;
}

std::string loaderVersion() {
  const PFN_vkGetInstanceProcAddr get = openLoader();
  if (get == nullptr) return "";
  const auto ask =
      reinterpret_cast<PFN_vkEnumerateInstanceVersion>(get(nullptr, "vkEnumerateInstanceVersion"));
  uint32_t version = VK_API_VERSION_1_0;  // whose loaders lack the function
  if (ask != nullptr) ask(&version);
  return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
                     VK_API_VERSION_PATCH(version));
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
