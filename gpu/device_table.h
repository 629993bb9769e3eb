// The callees of a host program: device memory and kernel launches, for one call of one entry.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "gpu/dry_run.h"
#include "jit/host_program.h"

namespace halo::gpu {

// Whether failRefusals() has been called (engine.h).
bool refusalsFail();

class CallDevice {
 public:
  CallDevice(Context& context, std::vector<Kernel>& kernels)
      : context_(context), kernels_(kernels) {}

  jit::DeviceTable table();

  // Makes an argument known; its memory stays the caller's.
  void borrow(value::BufferRef buffer);
  // Facts that are known so far.
  MemorySizes memory() const;
  // Called when a launch has to wait for a compiler, before it does.
  void beforeCompiling(std::function<void()> act) { before_compiling_ = std::move(act); }
  // The buffer that contains a handle; null if there is none.
  value::BufferRef find(uint64_t handle) const;

  // Why an operation returned a status other than 0.
  const std::optional<diag::Diagnostic>& error() const { return error_; }
  // Kernels that a compiler has refused, and their substitutes: lines for --verbose and --explain.
  const std::vector<std::string>& refusals() const { return refusals_; }

 private:
  int32_t alloc(uint64_t bytes, imp::Holds holds, uint64_t* handle);
  void free(uint64_t handle);
  int32_t copy(uint64_t to, uint64_t from, uint64_t bytes);
  int32_t write(uint64_t to, const void* from, uint64_t bytes);
  int32_t launch(int32_t kernel, const int64_t groups[3], const uint64_t* buffers,
                 const uint64_t* scalars);
  int32_t readStop(void* to);
  int32_t afterWait();
  int32_t read(uint64_t handle, void* to, uint64_t bytes);

  void findBuffers(size_t count, const uint64_t* buffers);
  bool isRefused(KernelVariant& variant);
  bool makePipeline(KernelVariant& variant);
  bool makeLastPipeline(KernelVariant& variant);
  int32_t launchVariant(Kernel& kernel, KernelVariant& variant, const int64_t groups[3],
                        const uint64_t* buffers, const uint64_t* scalars, bool alone);
  bool putArguments(const Kernel& kernel, const KernelVariant& variant, const uint64_t* buffers,
                    const uint64_t* scalars);
  int32_t launchParts(const KernelVariant& variant, const uint32_t all[3]);
  void put(uint32_t at, const void* from, size_t size);
  int32_t fail(const diag::Diagnostic& diagnostic);

  Context& context_;
  std::vector<Kernel>& kernels_;
  std::map<uint64_t, value::BufferRef> buffers_;  // by address
  // Of the launch at hand; kept for their memory. Where its buffers' memory begins, and its bytes.
  std::vector<uint64_t> starts_, bytes_;
  std::vector<std::byte> arguments_;
  std::vector<vulkan::Access> accesses_;
  std::optional<diag::Diagnostic> error_;
  std::vector<std::string> refusals_;
  bool launched_ = false;  // by the last call of launch()
  std::function<void()> before_compiling_;
};

}  // namespace halo::gpu
