// The part of a radix sort that moves the keys: one workgroup orders a tile by one digit and writes
// each digit's keys behind those of earlier tiles.
#pragma once

#include "gpu/templates/lanes.h"

namespace halo::gpu {

// How keys are cut into digits and tiles.
struct SortShape {
  int bits;       // of a digit
  int64_t lanes;  // of a subgroup that ranks its keys together; 0: every invocation counts its own
  int64_t group;  // invocations of a workgroup, at least as many as bins
  int64_t per;    // keys of each invocation
  int64_t bins() const { return int64_t{1} << bits; }
  int64_t tile() const { return group * per; }
  int64_t subgroups() const { return group / lanes; }
};

// Host operands and arrays of one pass. The first array has the keys.
struct SortPass {
  std::string name;                     // kernels' names begin with it
  std::vector<imp::ArrayRef> from, to;  // whole ones
  imp::Operand width, tiles;
  imp::Operand shift;    // u32: where the digit begins
  imp::BufferId counts;  // u32 [bins][tiles]: of equal digits, those in earlier tiles
  imp::BufferId totals;  // u32 [bins]
};

// The digit of a key that lies in words (toWords) above `shift`.
imp::Operand digitOf(KernelScope& scope, const SortShape& shape, const SortPass& pass,
                     const imp::Operands& words);

// Adds the kernel and its launch.
void emitSortTile(imp::Program& program, imp::Builder& host, const KernelCall& call,
                  const SortShape& shape, const SortPass& pass);

// The sum (u32) of what the invocations before this one have. `shared`
// has an element for each invocation.
imp::Operand sumBefore(KernelScope& scope, const imp::BufferId& shared, int64_t group,
                       const imp::Operand& value);

}  // namespace halo::gpu
