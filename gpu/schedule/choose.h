// The decision how each kernel of stage `kernels` is made. `run` and `dump` call the same function
// with other limits; a template carries out the schedule that it gets.
#pragma once

#include <optional>

#include "gpu/plan/variants.h"
#include "gpu/schedule/launches.h"
#include "gpu/schedule/text.h"

namespace halo::gpu {

struct KernelChoice {
  ScheduleVersions versions;
  std::vector<std::string> alternatives;  // names of --variant that `halo tune` tries
  std::string refused;                    // why the numbers of the request were left out
};

// By program, limits and request alone. Nothing for a kernel of one invocation.
std::optional<KernelChoice> choose(const Launches& launches, const core::Function& kernel,
                                   const Limits& limits, const Request& request);

// A planned program with the schedules of all kernels that host code launches. Explains and offers
// them as `variants` want.
ScheduledProgram scheduled(core::Program kernels, const Variants& variants);

// A family of kernels: the schedules of its members, and the quantities of their guards.
struct Family {
  std::vector<std::string> schedules;
  std::vector<Quantity> quantities;
};
// Empty for a kernel of one invocation.
Family familyOf(const core::Function& kernel);

const char* nameOf(const Schedule& schedule);

}  // namespace halo::gpu
