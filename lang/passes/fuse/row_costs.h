// What code costs, in operations, and what an array instead of it must save.
#pragma once

#include <unordered_set>
#include <vector>

#include "lang/core/ir.h"

namespace halo::passes {

// Operations that statements, or one arm of each branch in them, cost about. Of the arms the
// cheapest: the others may be for rare cases. A float is rarely equal to another one, as in the
// cases that the library's powers begin with. So of a branch by that it is the other arm.
class CodeCost {
 public:
  // Those of a body in their order.
  size_t of(const core::Stm& stm);
  size_t of(const core::Body& body);

 private:
  size_t ofMatch(const core::Match& match);
  size_t ofNode(const core::Screma& node);

  std::unordered_set<core::ValueId> rare_;  // conditions
};

// A load from a cache counts as about 8 operations (an estimate: a GPU's second-level cache gives
// some 16 words a clock where 128 lanes compute). From memory it costs more, but then the nest's
// other inputs do as well. An exponential takes 34 operations, a logarithm about 40.
inline constexpr size_t kDear = 24;
// A table of steps (share_steps.h) is read behind a branch, at positions that are computed.
inline constexpr size_t kDearStep = 40;
// An array for the iterations of a loop may come from memory where nothing else of a step does.
// 4 bytes of it take as long as 25 operations on an H200, and a launch writes them first.
inline constexpr size_t kDearIteration = 48;
inline constexpr size_t kMaxArrays = 4;  // of one node

}  // namespace halo::passes
