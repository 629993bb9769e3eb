// The host program of planned Core: an Imp program whose entry launches kernels, and the kernels.
#pragma once

#include "gpu/plan/variants.h"
#include "gpu/schedule/text.h"
#include "lang/core/ir.h"
#include "lang/imp/ir.h"

namespace halo::gpu {

struct HostResult {
  imp::Program program;
  // Why the GPU cannot run it, or empty: the caller then uses the CPU engine.
  std::string unsupported;
  // The entry takes one more i64 than Core's: elements that arrays of cells have room for whose
  // sizes the host cannot know. Where one needs more, the call fails with `out_of_memory` and
  // that size.
  bool takes_capacity = false;
};

// Kernels have gone through plan and define-semantics.
HostResult lowerHost(const ScheduledProgram& program, const std::string& entry,
                     const Variants& variants = {});

}  // namespace halo::gpu
