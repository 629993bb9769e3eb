// A device table that takes notes. Memory that the host program asks for is an address and a size.
#include "gpu/dry_run.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "lang/base/threads.h"

namespace halo::gpu {

namespace {

// Loops whose end only the device knows go on for ever here.
constexpr int kMaxLaunchesOfKnown = 4096;
// Addresses that no device gives out.
constexpr uint64_t kFirstDryAddress = uint64_t{1} << 56;
constexpr uint64_t kDryAlignment = 256;
constexpr uint64_t kDryExitFlag = 8;

class DryDevice {
 public:
  DryDevice(const std::vector<Kernel>& kernels, MemorySizes memory)
      : kernels_(kernels), memory_(std::move(memory)) {}

  jit::DeviceTable table() {
    jit::DeviceTable table;
    table.self = this;
    table.progress = &progress_;
    table.alloc = [](void* self, uint64_t bytes, imp::Holds, uint64_t* handle) {
      return static_cast<DryDevice*>(self)->alloc(bytes, handle);
    };
    table.free = [](void* self, uint64_t handle) {
      static_cast<DryDevice*>(self)->memory_.erase(handle);
    };
    table.copy = [](void*, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t) { return 0; };
    table.write = [](void*, uint64_t, uint64_t, const void*, uint64_t) { return 0; };
    table.launch = [](void* self, int32_t kernel, const int64_t groups[3], const uint64_t* buffers,
                      const uint64_t* scalars) {
      return static_cast<DryDevice*>(self)->launch(kernel, groups, buffers, scalars);
    };
    table.exit_flag = [](void*) { return kDryExitFlag; };
    table.read = [](void*, uint64_t handle, uint64_t, void* to, uint64_t bytes) {
      if (handle != kDryExitFlag) return 1;  // nothing has computed it
      std::memset(to, 0, bytes);
      return 0;
    };
    return table;
  }

  std::vector<const KernelVariant*> launched;

 private:
  int32_t alloc(uint64_t bytes, uint64_t* handle) {
    *handle = next_;
    memory_[next_] = bytes;
    next_ += bytes + kDryAlignment;
    return 0;
  }

  int32_t launch(int32_t index, const int64_t groups[3], const uint64_t* buffers,
                 const uint64_t* scalars) {
    if (groups[0] <= 0 || groups[1] <= 0 || groups[2] <= 0) return 0;
    const Kernel& kernel = kernels_[static_cast<size_t>(index)];
    std::vector<uint64_t> bytes;
    for (size_t i = 0; i < kernel.element_bytes.size(); ++i) bytes.push_back(sizeAt(buffers[i]));
    const KernelVariant& variant =
        fitsNarrow(kernel, groups, scalars, bytes) ? kernel.narrow : kernel.wide;
    ++since_new_;
    if (!variant.glsl.empty() && known_.insert(&variant).second) {
      launched.push_back(&variant);
      since_new_ = 0;
    }
    return since_new_ > kMaxLaunchesOfKnown ? 1 : 0;
  }

  uint64_t sizeAt(uint64_t address) const {
    auto after = memory_.upper_bound(address);
    if (after == memory_.begin()) return 0;
    const auto& [start, bytes] = *std::prev(after);
    return address <= start + bytes ? bytes : 0;
  }

  const std::vector<Kernel>& kernels_;
  MemorySizes memory_;
  base::Progress progress_;
  uint64_t next_ = kFirstDryAddress;
  std::unordered_set<const KernelVariant*> known_;
  int since_new_ = 0;
};

}  // namespace

bool fitsWords(const Kernel& kernel, const std::vector<uint64_t>& bytes) {
  for (size_t i = 0; i < kernel.element_bytes.size(); ++i) {
    if (bytes[i] / static_cast<uint64_t>(kernel.element_bytes[i]) >= (uint64_t{1} << 31))
      return false;
  }
  return true;
}

bool fitsNarrow(const Kernel& kernel, const int64_t groups[3], const uint64_t* scalars,
                const std::vector<uint64_t>& bytes) {
  for (int d = 0; d < 3; ++d) {
    if (groups[d] > kNarrowCells / kernel.narrow.function.workgroup[d]) return false;
  }
  for (size_t i = 0; i < kernel.is_i64.size(); ++i) {
    auto value = static_cast<int64_t>(scalars[i]);
    if (kernel.is_i64[i] && (value > kNarrowLimit || value < -kNarrowLimit)) return false;
  }
  return fitsWords(kernel, bytes);
}

DryRun dryRun(jit::HostProgram& host, const std::vector<Kernel>& kernels,
              const std::vector<jit::Leaf>& arguments, MemorySizes memory,
              const base::CancelFlag& cancel) {
  DryDevice device(kernels, std::move(memory));
  jit::DeviceTable table = device.table();
  const bool is_whole = host.run(arguments, &table, &cancel).has_value();
  return {std::move(device.launched), is_whole};
}

void prepareAll(vulkan::PipelineCache& pipelines, std::vector<const KernelVariant*> variants) {
  std::stable_sort(variants.begin(), variants.end(),
                   [](const KernelVariant* a, const KernelVariant* b) {
                     return a->glsl.size() > b->glsl.size();
                   });
  for (const KernelVariant* variant : variants) {
    if (!variant->glsl.empty()) pipelines.prepare(variant->glsl, variant->function.name);
  }
}

PipelinesAhead::~PipelinesAhead() {
  cancel_.set();
  if (thread_.joinable()) thread_.join();
}

void PipelinesAhead::start(const std::vector<jit::Leaf>& arguments, MemorySizes memory) {
  if (thread_.joinable() || !pipelines_.hasThreads()) return;
  thread_ = base::startThread(
      [this, arguments, memory = std::move(memory)] { prepare(arguments, memory); });
}

// Behind a value that the host reads any kernel may come, but forms for unusual sizes.
void PipelinesAhead::prepare(const std::vector<jit::Leaf>& arguments, const MemorySizes& memory) {
  const DryRun run = dryRun(host_, kernels_, arguments, memory, cancel_);
  prepareAll(pipelines_, run.launched);
  if (run.is_whole || cancel_.isSet()) return;
  std::vector<const KernelVariant*> others;
  for (const Kernel& kernel : kernels_) {
    if (kernel.conditions <= kUsualConditions) others.push_back(&kernel.narrow);
  }
  prepareAll(pipelines_, std::move(others));
}

}  // namespace halo::gpu
