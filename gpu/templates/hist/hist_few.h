// Histograms of so few elements that one workgroup compares the bins of all of them in pairs.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

TemplateResult emitFewHist(imp::Program& program, imp::Builder& host, const KernelCall& call,
                           const OrderedHistSchedule& schedule);

}  // namespace halo::gpu
