// The kernels of one program as pipelines, each in two variants: with 32-bit indices where a launch
// allows it, else with 64-bit ones. Compiled on first use.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/context.h"
#include "gpu/glsl/printer.h"
#include "gpu/raise/raise.h"
#include "lang/core/ir.h"
#include "lang/imp/ir.h"

namespace halo::gpu {

struct KernelVariant {
  imp::Function function;
  ArgumentLayout layout;
  std::vector<ScalarPart> scalars;  // by position in the layout
  std::string glsl;
  uint32_t first_site = 0;  // in the list that numberSites makes
  bool may_fail = true;     // it has a failure site
  KernelTypes types;        // that its code needs
  uint32_t shared_bytes = 0;
  vulkan::Pipeline pipeline;  // none until it is needed
  bool is_refused = false;    // by a compiler
};

struct Kernel {
  KernelVariant narrow, wide;
  std::vector<bool> writes;        // per buffer argument
  std::vector<bool> is_i64;        // per scalar argument: decides which variant a launch may use
  std::vector<int> element_bytes;  // per buffer argument: the unit of indices
  int conditions = 0;              // in front of its launch, at least
};

// Kernels behind more conditions have few calls: forms for unusual shapes.
inline constexpr int kUsualConditions = 2;

// By position in Program::functions; host functions have an empty entry. Adds variables and failure
// sites to the program.
std::vector<Kernel> makeKernels(imp::Program& program, const Target& target,
                                const GlslOptions& options);

// All failure sites of the shaders: a failure record's number is a position in here. Kernels get
// their first positions.
std::vector<int> numberSites(std::vector<Kernel>& kernels);

// The consequences of a device's features for the passes and the printer.
Target targetOf(const vulkan::Features& features);
GlslOptions glslOptionsOf(const vulkan::Features& features);
// As --fp=fast allows: the device's own divisions and roots, products rounded with their sums.
void loosen(Target& target, GlslOptions& options);

// The type of elements of which a scatter would mix values at one place, as the device has no
// memory of that type (raise, small_types). Otherwise nothing.
std::optional<prim::ScalarType> mixedByScatter(const core::Program& planned,
                                               const vulkan::Features& features);

// The feature that a kernel needs and the device lacks, or an empty text. Wide variants alone that
// cannot run lose their text.
std::string missingFeature(std::vector<Kernel>& kernels, const vulkan::Features& features);

}  // namespace halo::gpu
