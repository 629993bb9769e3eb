// Opening devices, once each.
#include "gpu/context.h"

#include <map>

namespace halo::gpu {

using namespace vulkan;

diag::Result<Context*> contextFor(const std::string& device_name, bool use_disk_cache) {
  static std::mutex mutex;
  static auto* contexts = new std::map<std::string, Context*>;  // never destroyed, see the header
  std::lock_guard lock(mutex);
  auto found = contexts->find(device_name);
  if (found != contexts->end()) return found->second;
  auto physical = choose(device_name);
  if (!physical) return diag::Failure(physical.error());
  auto device = Device::open(*physical);
  if (!device) return diag::Failure(device.error());
  auto context = new Context;
  context->device = *device;
  context->memory = std::make_unique<DeviceMemory>(*device);
  context->pipelines = std::make_unique<PipelineCache>(*device, use_disk_cache);
  auto stream = Stream::make(*device, *context->memory, context->pipelines->layout());
  if (!stream) return diag::Failure(stream.error());
  context->stream = std::move(*stream);
  context->memory->setStream(context->stream.get());
  (*contexts)[device_name] = context;
  return context;
}

}  // namespace halo::gpu
