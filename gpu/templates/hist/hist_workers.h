// Histograms by any operators, also on rows, with any map: bins of each worker in device memory.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

TemplateResult emitWorkerHist(imp::Program& program, imp::Builder& host, const KernelCall& call,
                              const OrderedHistSchedule& schedule);

}  // namespace halo::gpu
