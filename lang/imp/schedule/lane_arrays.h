// Arrays that iterations allocate for themselves, in a loop of lanes. The tapes of return sweeps
// are such arrays. Those of iterations that run at once are interleaved, so that lanes which are at
// the same element access neighbours:
//
//   for i in lo .. hi {                   for block {
//     alloc tape[m]                         alloc tape[m * lanes]
//     .. tape[t] ..                         for i in first .. min(first + lanes, hi) vector {
//     free tape }                             .. tape[t * lanes + (i - first)] .. }
//                                           free tape }
//
// LLVM could not: to it an allocation is a call with effects.
#pragma once

#include "lang/imp/schedule/lane_counts.h"

namespace halo::imp {

struct LaneArrays {
  std::vector<Alloc> allocs;  // for one iteration
  Block sizes;                // computes their elements, in front of the loop
  LaneCounts counts;          // of arrays whose elements only an iteration knows
  VarId first, lanes;         // of a block, read by the body
  Block alone;                // of an iteration by itself, for arrays without room for two

  bool isEmpty() const { return allocs.empty(); }
};

// Whether vectors along arrays of the body access neighbours already.
bool vectorsUseOwnArrays(const Block& body);

// Takes the arrays out of the body of a loop over `var`, as far as their sizes are known in front
// of the loop or can be computed first by each iteration. The body then accesses those of a block
// of iterations.
LaneArrays takeLaneArrays(Program& program, VarId var, Block& body);

// Appends the loop in blocks, which may run on threads; iterations one by one where a block of two
// would take too much memory.
void appendInBlocks(Builder& b, For loop, const LaneArrays& arrays, bool parallel);

}  // namespace halo::imp
