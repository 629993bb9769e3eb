// Radix sorts of whole arrays.
#pragma once

#include <functional>

#include "gpu/schedule/schedule.h"
#include "gpu/templates/templates.h"

namespace halo::gpu {

// A kernel that passes::isSort.
TemplateResult emitSort(imp::Program& program, imp::Builder& host, const KernelCall& call);

// Whole arrays of fewer than 2^32 elements, and how they are sorted, stably by the first of them.
struct SortedArrays {
  SortSchedule schedule;
  std::vector<imp::ArrayRef> from;
};

// The first array has u32 of up to `most` (host). The result lies in the arrays' memory or in what
// is added to `buffers`, all to be freed then.
std::vector<imp::ArrayRef> sortArrays(imp::Program& program, imp::Builder& host,
                                      const KernelCall& call, const SortedArrays& arrays,
                                      const imp::Operand& most,
                                      std::vector<imp::BufferId>& buffers);

// Elements put in order, stably, by one digit of their first part.
struct Partition {
  int bits;                           // of the digit: there are at most so many parts
  std::vector<imp::ArrayRef> arrays;  // the elements
  imp::BufferId totals;               // u32: how many have each digit
};
// Of the arrays, types and extents alone count: `element` gives part `which` of an element, of
// which the first is u32. Their digit begins at bit `low`. All memory is added to `buffers`, to be
// freed.
Partition partitionElements(
    imp::Program& program, imp::Builder& host, const KernelCall& call, const SortedArrays& arrays,
    int low,
    const std::function<imp::Operand(KernelScope&, size_t which, const imp::Operand& i)>& element,
    std::vector<imp::BufferId>& buffers);

}  // namespace halo::gpu
