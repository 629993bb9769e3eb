// Sizes of arrays that an iteration computes, such as the steps that its `while` loop takes. A
// block of lanes computes those of all its iterations first, and has room for the largest:
//
//   for i in lo .. hi {                   for block {
//     while .. { .. k := k + 1 }            for i in block vector { while ..; ks[lane] := k }
//     alloc tape[k]                         most = the maximum of ks
//     ..                                    alloc tape[most * lanes]
//                                           for i in block vector { k = ks[lane]; .. } }
//
// Results of the first part's loops are loaded in the second, if that reads it.
#pragma once

#include <vector>

#include "lang/imp/builder.h"

namespace halo::imp {

struct LaneCounts {
  struct Size {
    VarId most;      // of a block
    BufferId sizes;  // of its iterations, by lane
  };
  std::vector<Size> sizes;
  VarId var, first;  // iteration, and the first one of its block
  Block code;        // of one iteration

  bool isEmpty() const { return sizes.empty(); }
};

// Of a loop over `var` whose body makes these arrays. Those whose sizes cannot be computed first
// are removed from the list; the elements of the others become the most of a block.
LaneCounts countFirst(Program& program, VarId var, Block& body, std::vector<Alloc>& arrays);

// Appends the computation for the iterations from `counts.first` to `end`, at most `lanes` many.
// Whether lanes pay: they do not where one iteration has far larger arrays than the others.
Operand appendCounts(Builder& b, const LaneCounts& counts, const Operand& end, int lanes);

}  // namespace halo::imp
