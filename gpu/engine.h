// The gpu engine: Core through the gpu pipeline, plan, kernels to Imp to GLSL to SPIR-V, dispatched
// through Vulkan by a host program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lang/core/ir.h"
#include "lang/engine/engine.h"

namespace halo::gpu {

struct DeviceInfo {
  std::string name;
  std::string type;  // `discrete`, `integrated`, `virtual`, `cpu`
  std::string driver;
  bool usable = false;
  std::string why_not;               // what it lacks of the floor (DESIGN.md 4)
  std::vector<std::string> details;  // limits, features, self-test, one line each
};
// Every Vulkan device, also the unusable; empty without a loader. Cheap enough for `halo devices`.
std::vector<DeviceInfo> devices();
// Is there a usable device that is hardware, not a software implementation?
bool hasHardwareDevice();

// `device`: part of a name, or empty for the best one. Failure: no_device.
diag::Result<std::unique_ptr<engine::Engine>> makeGpuEngine(const std::string& device);

diag::Result<std::unique_ptr<engine::Prepared>> prepareCore(const core::Program& program,
                                                            const std::string& entry,
                                                            const std::string& device,
                                                            const engine::Options& options);

// Stages `kernels`, `glsl`, `spirv` and the host program's `imp`, without a device.
enum class Stage { kKernels, kImp, kGlsl, kSpirv };
diag::Result<std::string> dump(const core::Program& lowered, Stage stage,
                               const engine::Options& options);

}  // namespace halo::gpu
