// Kinds of histograms by their operations: the planner asks whether several may stay together, the
// schedules which of them are possible.
#pragma once

#include "gpu/plan/limits.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// Of shared memory, for the bins of a workgroup: 1 KB is for others.
inline int64_t maxTableWords(const Limits& limits) {
  constexpr int64_t kOthers = 256;
  return usualSharedBytes(limits) / 4 - kOthers;
}

// Whether a workgroup can combine all operations of the node in tables, if it has room for them.
bool canHaveTables(const core::Program& program, const core::Hist& hist);

// Whether devices update the bins of all operations in one step: numbers, or numbers of rows.
bool isAtomic(const core::Program& program, const core::Hist& hist);
bool areRowsAtomic(const core::Program& program, const core::Hist& hist);

}  // namespace halo::gpu
