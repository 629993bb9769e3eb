// A device in use: memory, pipelines and stream, shared by all programs on it.
#pragma once

#include <future>
#include <memory>
#include <mutex>
#include <string>

#include "gpu/kept_memory.h"
#include "gpu/vulkan/pipeline.h"
#include "gpu/vulkan/stream.h"

namespace halo::gpu {

// Lives until the process ends: results that stay on the device refer to its memory.
struct Context {
  std::shared_ptr<vulkan::Device> device;
  std::unique_ptr<vulkan::DeviceMemory> memory;
  std::unique_ptr<vulkan::PipelineCache> pipelines;
  std::unique_ptr<vulkan::Stream> stream;
  std::unique_ptr<KeptMemory> kept;
  std::mutex in_use;  // one call at a time
  // Calls that cannot fail, and leave arrays alone, return while the device still works. Rows for
  // other ranks are then on their way before the next call is recorded.
  bool runs_ahead = false;
};

// Which device that name means: known long before it is open. Failure: no_device.
diag::Result<vulkan::PhysicalDevice> physicalFor(const std::string& device_name);

// The same context for the same device, a new one after it was lost. Failure: no_device,
// device_failure.
diag::Result<Context*> contextFor(const std::string& device_name, bool use_disk_cache);

// The same in the background, see openEarly().
std::future<void> startOpening(const std::string& device_name);
bool wasOpenedEarly(const std::string& device_name);

}  // namespace halo::gpu
