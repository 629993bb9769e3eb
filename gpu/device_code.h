// Everything that a program needs on a device, and that does not need the device to be open: the
// kernels' texts and the host program. It is made by the passes, plan, templates and printers, or
// read from an earlier process's file (code_cache.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/engine.h"
#include "gpu/kernels.h"
#include "gpu/plan/variants.h"
#include "gpu/schedule/text.h"
#include "gpu/templates/host/host.h"
#include "lang/core/ir.h"
#include "lang/engine/engine.h"

namespace halo::gpu {

// The variants measured before, or those about to be.
struct Tuning {
  Choices choices;
  bool collects = false;  // which statements there are to choose for
};

struct DeviceCode {
  std::string unsupported;  // why this program runs on the CPU; empty: it does not
  imp::Program host;        // kernels without their code
  std::vector<Kernel> kernels;
  std::vector<int> kernel_sites;              // by the numbers of failure records
  std::vector<size_t> operand_counts;         // by site
  std::map<std::string, source::Span> spans;  // of kernel functions of stage `kernels`
  bool takes_capacity = false;                // HostResult::takes_capacity
  std::map<std::string, std::vector<std::string>> offered;  // Tuning::collects: variants by key
};

struct CodeRequest {
  const core::Program& lowered;
  const std::string& entry;
  const vulkan::Features& features;
  const engine::Options& options;
  const Tuning& tuning;
};

// From the disk, unless the options exclude it: explanations and verifiers come with the passes.
DeviceCode deviceCode(const CodeRequest& request);
// Always by the passes.
DeviceCode makeCode(const CodeRequest& request);

// The choices that a device and the options leave to plan.
Variants variantsOf(const vulkan::Features& features, const engine::Options& options);

// A program's stages for a device, in the order in which they are made. `run` and `dump` make them
// by the same function.
struct Stages {
  ScheduledProgram kernels;  // stage `kernels`
  HostResult host;           // stage `imp-gpu`
  std::vector<Kernel> code;  // stage `glsl`
  std::string unsupported;   // why there are no more stages: the program runs on the CPU
};
Stages makeStages(const CodeRequest& request, const Variants& variants, Stage last = Stage::kGlsl);

}  // namespace halo::gpu
