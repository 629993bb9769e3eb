// Loops that keep some elements of many, as filters become (passes/fuse_scans.h):
//
//   loop (n = 0, kept) for i < w {
//     p, x = ..;  n' = n + (p ? 1 : 0);  at = p ? n' - 1 : -1
//     kept' = if 0 <= at < w then kept with [at] = x else kept }
#pragma once

#include <optional>

#include "lang/imp/lower/lowering.h"

namespace halo::imp {

struct Compaction {
  core::Body element;            // of an iteration: whether it is kept, and its value in each array
  std::vector<size_t> counters;  // carried scalars, all going up by one where an element is kept
  std::vector<size_t> arrays;    // carried arrays
};

std::optional<Compaction> asCompaction(const core::Program& program, const core::Loop& loop);

class CompactionLowering {
 public:
  CompactionLowering(Lowering& lowering, const core::Stm& stm, const core::Loop& node,
                     const Compaction& compaction);
  void run();  // sets the results

 private:
  void compact(Operand first, Operand last, const std::vector<BufferId>& kept, VarId next);
  void chunk(Operand first, Operand last);

  Lowering& low_;
  Builder& b_;
  const LoweringTarget& target_;
  const core::Stm& stm_;
  const core::Loop& node_;
  const Compaction& compaction_;
  const core::ForLoop& form_;
  std::vector<ArrayRef> targets_;  // by carried array
  ArrayRef count_;                 // elements of the chunks so far
};

}  // namespace halo::imp
