// Histograms of rows of 4-byte integers under + min max & | ^: an invocation for each element of
// each row, straight to the destinations. Order cannot show.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

TemplateResult emitRowAtomicHist(imp::Program& program, imp::Builder& host, const KernelCall& call);

}  // namespace halo::gpu
