// The gpu engine: Core through the gpu pipeline, plan, kernels to Imp to GLSL to SPIR-V, dispatched
// through Vulkan by a host program.
#pragma once

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "lang/core/ir.h"
#include "lang/engine/engine.h"
#include "lang/engine/page_copies.h"

namespace halo::gpu {

struct DeviceInfo {
  std::string name;
  std::string type;  // `discrete`, `integrated`, `virtual`, `cpu`
  std::string driver;
  bool usable = false;
  std::string why_not;               // its lack below the floor (design.md#device-floor)
  std::vector<std::string> details;  // limits, features, self-test, one line each
};
// Every Vulkan device, also the unusable; empty without a loader. Opens and tries those that are
// usable.
std::vector<DeviceInfo> devices();
// `1.3.239`; empty without a loader. Opens no device.
std::string loaderVersion();
// Name and driver of the device that makeGpuEngine takes; empty if there is none.
std::string deviceName(const std::string& device);
// Restricts every device from now on to the profile FILE (gpu/vulkan/features.h).
diag::Result<std::monostate> limitDevices(const std::string& path);
// From now on calls measure CallTimes::device_ms, which takes some microseconds of each. With
// Options::verbose they do so in any case.
void timeCalls();
// From now on a kernel that a compiler refuses fails its call. Else other kernels run in its place,
// or the CPU.
void failRefusals();
// Was a device lost, or given up? Its driver may still work for it.
bool hasLostDevice();
// Is there a usable device that is hardware, not a software implementation?
bool hasHardwareDevice();
int hardwareDevices();  // how many

// Opens a device in the background: drivers take 0.1 to 0.4 s, during which a program can be
// checked and planned. Failures are reported when the device is used. The process must not end
// before the result is there: its destructor waits.
std::future<void> openEarly(const std::string& device);

// This process is one of several ranks: devices that are opened from now on can exchange rows with
// others (docs/ranks.md).
void shareRows();
std::unique_ptr<engine::PageCopies> pageCopies(const std::string& device);

// `device`: part of a name, or empty for the best one. Failure: no_device.
diag::Result<std::unique_ptr<engine::Engine>> makeGpuEngine(const std::string& device);

diag::Result<std::unique_ptr<engine::Prepared>> prepareCore(const core::Program& program,
                                                            const std::string& entry,
                                                            const std::string& device,
                                                            const engine::Options& options);

// Stages `kernels`, `glsl`, `spirv` and the host program's `imp`, by the function that makes them
// for a call. `device` as above, but empty for a reference device. Failure: no_device,
// engine_unsupported.
enum class Stage { kKernels, kImp, kGlsl, kSpirv };
diag::Result<std::string> dump(const core::Program& lowered, Stage stage, const std::string& device,
                               const engine::Options& options);

}  // namespace halo::gpu
