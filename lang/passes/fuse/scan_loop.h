// A scan and the node that reads its arrays as one sequential loop. An iteration has the scan's
// elements, its map, its operators on carried values, then the reader's map:
//
//   (sum, last) = loop (s = 0, a = neutral) for i < n do {
//     x = index xs[i]; ..; s' = f s ..; a' = op a ..; the reader's map of a'; .. }
#pragma once

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/passes/parallel_node.h"

namespace halo::passes {

bool hasScan(const core::Stm& stm);

class ScanLoop {
 public:
  // The scan's part. It must outlive the loop.
  ScanLoop(core::Program& program, const ParallelNode& scan);

  core::Builder& code() { return code_; }  // of the iteration
  // The scanned value of the elements before, by the place among the scanned results.
  core::ValueId before(size_t place) const { return loop_.carried[first_scan_ + place].param; }
  // The results of the reader's map, which are these of its lambda. `known`: values of its own.
  core::Operands elementOf(const ParallelNode& reader, const core::Operands& results,
                           core::Substitution known = {});

  // Carries the accumulators of these operators; their next values.
  template <typename List>
  core::Operands combineAll(const List& operators, const core::Operands& elements) {
    core::Operands all;
    size_t next = 0;
    for (const auto& combiner : operators) {
      core::Operands args;
      for (const core::Operand& neutral : combiner.neutral) {
        args.push_back(carry("sum", neutral, false));
      }
      for (size_t k = 0; k < combiner.neutral.size(); ++k) args.push_back(elements[next++]);
      auto [stms, results] = core::apply(program_, combiner.op, args);
      for (core::Stm& inner : stms) code_.append(std::move(inner));
      all.insert(all.end(), results.begin(), results.end());
    }
    return all;
  }
  // `is_unique`: the loop alone has the initial array, and overwrites it.
  core::ValueId carry(const char* name, const core::Operand& initial, bool is_unique);

  // The loop: sums and last values of the scan, then `results`, whose next values are `next`.
  core::Stm take(const core::Operands& next, const std::vector<core::ValueId>& results,
                 core::Span span);

 private:
  core::Program& program_;
  const ParallelNode& scan_;
  core::Builder code_;
  core::Loop loop_;
  core::ValueId index_;
  size_t first_scan_ = 0;   // among the carried values
  core::Operands next_;     // of the carried values
  core::Operands scanned_;  // of this element
  std::vector<core::ValueId> results_;
};

}  // namespace halo::passes
