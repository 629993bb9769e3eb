// For tests: an Imp kernel built by hand, run on a Vulkan device with its buffers filled from and
// read back into scalars.
#pragma once

#include <memory>
#include <vector>

#include "gpu/glsl/printer.h"
#include "gpu/raise/raise.h"
#include "gpu/vulkan/stream.h"
#include "lang/imp/builder.h"

namespace halo::gpu {

using Scalars = std::vector<prim::Scalar>;

class TestKernel {
 public:
  explicit TestKernel(int workgroup = 64);

  imp::Program program;
  imp::Builder code{program};
  imp::Function function;
  uint32_t rows = 1;

  imp::BufferId input(const std::string& name, prim::ScalarType type, Scalars values);
  imp::BufferId output(const std::string& name, prim::ScalarType type, size_t elements);
  imp::VarId scalar(const std::string& name, prim::Scalar value);
  imp::Operand builtIn(imp::BuiltIn what, int dimension = 0);  // as i64

  // Moves the statements that `code` has gathered into the function.
  const imp::Function& finish();
  imp::Function raised(const Target& target, bool narrow);

  // Runs `groups` workgroups, in each of `rows` rows. False: there is no device, the test is to be
  // skipped.
  bool run(uint32_t groups, bool narrow, Target target = {});
  const Scalars& result(imp::BufferId buffer) const;
  const vulkan::FailureRecord& failure() const { return failure_; }
  // Of a kernel that has failed.
  const imp::Site& failedSite() const;

 private:
  struct Argument {
    imp::BufferId buffer;
    bool is_output;
    Scalars values;
  };
  std::vector<std::byte> pack(const imp::Function& raised,
                              const std::vector<value::BufferRef>& buffers, uint64_t failure_word,
                              uint32_t groups) const;

  std::vector<Argument> arguments_;
  Scalars scalars_;
  vulkan::FailureRecord failure_{};
  std::vector<int> failure_sites_;
};

// Options as the engine derives them from the device; null pointer: there is no device.
struct TestDevice {
  std::shared_ptr<vulkan::Device> device;
  std::unique_ptr<vulkan::DeviceMemory> memory;
  std::unique_ptr<vulkan::PipelineCache> pipelines;
  std::unique_ptr<vulkan::Stream> stream;
  GlslOptions options;
};
TestDevice* testDevice();

}  // namespace halo::gpu
