// Radix sorts of whole arrays.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// A kernel that passes::isSort.
TemplateResult emitSort(imp::Program& program, imp::Builder& host, const KernelCall& call);

// Whole arrays of fewer than 2^32 elements, stably by the first, which has u32 of up to `most`
// (host). The result lies in their memory or in what is added to `buffers`, all to be freed then.
std::vector<imp::ArrayRef> sortArrays(imp::Program& program, imp::Builder& host,
                                      const KernelCall& call,
                                      const std::vector<imp::ArrayRef>& arrays,
                                      const imp::Operand& most,
                                      std::vector<imp::BufferId>& buffers);

}  // namespace halo::gpu
