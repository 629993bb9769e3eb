// Which results of kernels count elements: reductions, and elements of running counts.
//
//   ends, .. = call main_1 (n, xs)         kernel main_1 [n] scan .. { .. scan i64.add 0 of flags }
//   count = call main_2 (is_empty, n, ends)
//                                          kernel main_2 map .. { match is_empty { true -> 0
//                                                                 else -> index ends[n - 1] } }
//
// Here `count` is not above `n`.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

class CountSources {
 public:
  explicit CountSources(const core::Program& program) : program_(program) {}

  // Before the statements of a body, which then come in order: which of its values are the sizes of
  // steps (loops/shrinking.h).
  void enter(const core::Body& body);
  // The counts among the results of a statement, by position, and of how many elements they are.
  using Found = std::vector<std::pair<size_t, core::Operand>>;
  Found countsOf(const core::Stm& stm);

 private:
  Found ofNodes(const core::Stm& stm, const core::Function& kernel);
  Found ofElements(const core::Stm& stm, const core::Function& kernel) const;
  std::optional<core::Operand> argument(const core::Stm& stm, const core::Function& kernel,
                                        const core::Operand& param) const;

  const core::Program& program_;
  std::unordered_map<core::ValueId, core::Operand> running_;  // arrays of counts
  std::unordered_set<core::ValueId> step_sizes_;
};

}  // namespace halo::gpu
