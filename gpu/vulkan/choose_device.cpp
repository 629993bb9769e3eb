// The choice of a device: the requested one, or else one of the most capable kind.
#include <cstdlib>

#include "gpu/vulkan/api.h"
#include "gpu/vulkan/device.h"

namespace halo::gpu::vulkan {

using diag::Code;

namespace {

int rank(const PhysicalDevice& device) {
  if (device.type == "discrete") return 4;
  if (device.type == "integrated") return 3;
  if (device.type == "virtual") return 2;
  return device.type == "cpu" ? 0 : 1;
}

bool isNamed(const PhysicalDevice& device, const std::string& name) {
  return device.name.find(name) != std::string::npos || device.type == name;
}

}  // namespace

diag::Result<PhysicalDevice> choose(const std::string& asked) {
  const size_t mark = asked.find('#');
  const std::string name = asked.substr(0, mark);
  std::vector<PhysicalDevice> devices = physicalDevices();
  const PhysicalDevice* best = nullptr;
  std::vector<std::string> notes;
  for (const PhysicalDevice& device : devices) {
    notes.push_back("there is `" + device.name + "`" +
                    (device.usable ? "" : " (not usable: " + device.why_not + ")"));
    if (!device.usable || !isNamed(device, name)) continue;
    if (best == nullptr || rank(device) > rank(*best)) best = &device;
  }
  if (best != nullptr && mark != std::string::npos) {
    std::vector<const PhysicalDevice*> alike;
    for (const PhysicalDevice& device : devices) {
      if (device.usable && isNamed(device, name) && rank(device) == rank(*best))
        alike.push_back(&device);
    }
    return *alike[static_cast<size_t>(std::atoi(asked.c_str() + mark + 1)) % alike.size()];
  }
  if (best != nullptr) return *best;
  if (devices.empty()) {
    notes = {instance() == nullptr ? "no Vulkan loader or driver could be opened"
                                   : "the Vulkan loader knows no device",
             "install a driver, for example the package `mesa-vulkan-drivers`"};
  }
  std::string message = name.empty() ? "there is no usable Vulkan device"
                                     : "there is no usable Vulkan device named `" + name + "`";
  return diag::fail(Code::no_device, {}, message, std::move(notes));
}

}  // namespace halo::gpu::vulkan
