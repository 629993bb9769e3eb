// Histograms by any operator, in an order that extents alone decide: every invocation has bins of
// its own in shared memory.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

TemplateResult emitLaneHist(imp::Program& program, imp::Builder& host, const KernelCall& call,
                            const OrderedHistSchedule& schedule);

}  // namespace halo::gpu
