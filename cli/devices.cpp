// halo devices: every Vulkan device, whether Halo can use it, its limits and self-test.
#include "cli/commands.h"

#include <cstdio>

#include "gpu/engine.h"

namespace halo::cli {

int devices(const Common& common) {
  std::vector<gpu::DeviceInfo> all = gpu::devices();
  if (all.empty()) std::printf("no Vulkan device: the loader or a driver is missing\n");
  for (const gpu::DeviceInfo& device : all) {
    std::printf("%s (%s, %s): %s\n", device.name.c_str(), device.type.c_str(),
                device.driver.c_str(),
                device.usable ? "usable" : ("not usable: " + device.why_not).c_str());
    if (common.quiet) continue;
    for (const std::string& line : device.details) std::printf("  %s\n", line.c_str());
  }
  return kOk;
}

}  // namespace halo::cli
