// Which kernels a call will launch. The host program runs once more, concurrently with the call, on
// a device that does nothing. Sizes decide most of its branches, so that its launches are those of
// the call, up to the first value that the host reads. Their pipelines are then compiled
// concurrently, while the call waits for its first one; no others are.
#pragma once

#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "gpu/kernels.h"
#include "jit/host_program.h"

namespace halo::gpu {

// Bytes of device memory, by the address where they begin.
using MemorySizes = std::map<uint64_t, uint64_t>;

// Whether 32-bit indices do for this launch. `bytes`: of the memory around each buffer argument.
bool fitsNarrow(const Kernel& kernel, const int64_t groups[3], const uint64_t* scalars,
                const std::vector<uint64_t>& bytes);
bool fitsWords(const Kernel& kernel, const std::vector<uint64_t>& bytes);

// Makes these pipelines in the background. The longest texts take the longest, and come first.
void prepareAll(vulkan::PipelineCache& pipelines, std::vector<const KernelVariant*> variants);

struct DryRun {
  std::vector<const KernelVariant*> launched;  // each once, in order
  bool is_whole = false;                       // the host program came to its end
};
// `memory` holds the arguments.
DryRun dryRun(jit::HostProgram& host, const std::vector<Kernel>& kernels,
              const std::vector<jit::Leaf>& arguments, MemorySizes memory,
              const base::CancelFlag& cancel);

// The pipelines of one call: from start() on, in a thread of its own, which ends with this object.
class PipelinesAhead {
 public:
  PipelinesAhead(jit::HostProgram& host, const std::vector<Kernel>& kernels,
                 vulkan::PipelineCache& pipelines)
      : host_(host), kernels_(kernels), pipelines_(pipelines) {}
  ~PipelinesAhead();
  PipelinesAhead(const PipelinesAhead&) = delete;
  PipelinesAhead& operator=(const PipelinesAhead&) = delete;

  // Once for each call. Nothing happens where the system refuses the thread.
  void start(const std::vector<jit::Leaf>& arguments, MemorySizes memory);

 private:
  void prepare(const std::vector<jit::Leaf>& arguments, const MemorySizes& memory);

  jit::HostProgram& host_;
  const std::vector<Kernel>& kernels_;
  vulkan::PipelineCache& pipelines_;
  base::CancelFlag cancel_;
  std::thread thread_;
};

}  // namespace halo::gpu
