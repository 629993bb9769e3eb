// The elements of a histogram in the order of their bins; equal bins keep the order of elements.
#pragma once

#include "lang/ad/emit.h"

namespace halo::ad {

struct SortedBins {
  Operand many;                 // bins
  ValueId order;                // where each element was
  ValueId bin;                  // its flat bin; `many` for elements outside
  std::vector<ValueId> values;  // of each component
  ValueId first;                // whether it is the first of its bin
  ValueId last;                 // the bin whose last element it is, else -1
};

// Of a node with one operation on numbers.
SortedBins sortedByBin(Emitter& e, const core::Hist& node);

}  // namespace halo::ad
