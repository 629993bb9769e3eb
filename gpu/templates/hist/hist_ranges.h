// Histograms of many bins by any operator on scalars, in an order that extents and bins decide.
// Elements are brought together by ranges of bins first, so that a range fits a workgroup.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

TemplateResult emitRangeHist(imp::Program& program, imp::Builder& host, const KernelCall& call,
                             const OrderedHistSchedule& schedule);

}  // namespace halo::gpu
