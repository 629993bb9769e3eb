// Opening devices, once each.
#include "gpu/context.h"

#include <algorithm>
#include <future>
#include <map>
#include <thread>

#include "gpu/engine.h"
#include "lang/base/phase.h"
#include "lang/base/threads.h"

namespace halo::gpu {

using namespace vulkan;

namespace {

// Compiling in the background pays where drivers take 10 ms and more for a kernel. NVIDIA's takes
// 0.6 s for 400 lines, and 16 threads make 13 times as many kernels as one.
constexpr size_t kMaxCompilerThreads = 16;

size_t compilerThreads(const Features& features) {
  if (!features.is_hardware) return 0;
  return std::min<size_t>(std::thread::hardware_concurrency(), kMaxCompilerThreads);
}

diag::Result<Context*> openContext(const std::string& device_name, bool use_disk_cache) {
  const base::Phase phase("open device");
  auto physical = physicalFor(device_name);
  if (!physical) return diag::Failure(physical.error());
  auto device = Device::open(*physical);
  if (!device) return diag::Failure(device.error());
  auto context = std::make_unique<Context>();
  context->device = *device;
  context->memory = std::make_unique<DeviceMemory>(*device);
  context->pipelines =
      std::make_unique<PipelineCache>(*device, use_disk_cache, compilerThreads(physical->features));
  auto stream = Stream::make(*device, *context->memory, context->pipelines->layout());
  if (!stream) return diag::Failure(stream.error());
  context->stream = std::move(*stream);
  context->memory->setStream(context->stream.get());
  context->kept = std::make_unique<KeptMemory>(*context->memory, *context->stream);
  return context.release();
}

using Contexts = std::map<std::string, Context*>;
Contexts& contexts() {
  static auto* all = new Contexts;  // never destroyed, see the header
  return *all;
}

// Compilers must not work on while the process ends. Made after the driver was loaded, so that it
// goes before the driver does.
struct Stopper {
  ~Stopper() {
    for (auto& [name, context] : contexts()) context->pipelines->stop();
  }
};

std::mutex& opening() {
  static std::mutex mutex;
  return mutex;
}
bool was_replaced = false;  // a lost device, by a new context

std::string& openedEarly() {
  static std::string name;
  return name;
}

}  // namespace

diag::Result<PhysicalDevice> physicalFor(const std::string& device_name) {
  static std::mutex mutex;
  static auto* chosen = new std::map<std::string, PhysicalDevice>;
  std::lock_guard lock(mutex);
  auto found = chosen->find(device_name);
  if (found != chosen->end()) return found->second;
  auto physical = choose(device_name);
  if (physical) chosen->emplace(device_name, *physical);
  return physical;
}

diag::Result<Context*> contextFor(const std::string& device_name, bool use_disk_cache) {
  std::lock_guard lock(opening());
  auto found = contexts().find(device_name);
  if (found != contexts().end() && !found->second->stream->isLost()) return found->second;
  if (found != contexts().end()) {
    found->second->pipelines->stop();
    was_replaced = true;
  }
  auto made = openContext(device_name, use_disk_cache);
  if (!made) return made;
  static Stopper stopper;
  contexts()[device_name] = *made;
  return made;
}

bool hasLostDevice() {
  std::lock_guard lock(opening());
  return was_replaced || std::any_of(contexts().begin(), contexts().end(), [](const auto& opened) {
           return opened.second->stream->isLost();
         });
}

std::future<void> startOpening(const std::string& device_name) {
  openedEarly() = "opens " + device_name;
  return base::startAsync([device_name] { (void)contextFor(device_name, true); });
}

bool wasOpenedEarly(const std::string& device_name) {
  return openedEarly() == "opens " + device_name;
}

}  // namespace halo::gpu
