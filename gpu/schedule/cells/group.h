// Cells that have a workgroup each
// (docs/gpu.md#sequential-cells-distribution-workgroup-for-each-cell).
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

// A map whose cells have a workgroup each, which its attribute `only_intra` says.
bool isGroup(const core::Stm& stm);

KernelChoice chooseGroup(const Launches& launches, const core::Function& kernel,
                         const Limits& limits, const Request& request);

}  // namespace halo::gpu
