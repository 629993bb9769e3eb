// Histograms of many bins by any operator: elements are sorted by their bins, neighbours combined.
// Reads and writes each a few times, however many bins there are and however often one comes up.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

TemplateResult emitSortedHist(imp::Program& program, imp::Builder& host, const KernelCall& call,
                              const OrderedHistSchedule& schedule);

}  // namespace halo::gpu
