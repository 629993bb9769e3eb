// Radix sorts of whole arrays.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// A kernel that passes::isSort.
TemplateResult emitSort(imp::Program& program, imp::Builder& host, const KernelCall& call);

}  // namespace halo::gpu
