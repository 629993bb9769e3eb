// Radix sorts of whole arrays.
#pragma once

#include <functional>

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

// Elements put in order, stably, by one digit of their first part.
struct Partition {
  int bits;                           // of the digit: there are at most so many parts
  std::vector<imp::ArrayRef> arrays;  // the elements
  imp::BufferId totals;               // u32: how many have each digit
};
// How many bits partitionElements() can look at; 0: it is not made for this device.
int partitionBits(const Variants& variants);
// Fewer than 2^32 elements (host), of these types, the first of which is u32; `element` gives part
// `which` of one. Their digit begins at bit `low`. All memory is added to `buffers`, to be freed.
Partition partitionElements(
    imp::Program& program, imp::Builder& host, const KernelCall& call,
    const std::vector<prim::ScalarType>& types, const imp::Operand& width, int low,
    const std::function<imp::Operand(KernelScope&, size_t which, const imp::Operand& i)>& element,
    std::vector<imp::BufferId>& buffers);

}  // namespace halo::gpu
