// Loops of stencils in cycles: rows of the neighbours once, then several steps without a message.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lang/passes/ranks/shard_stencils.h"

namespace halo::passes {

class StencilCycles : RowWriter {
 public:
  StencilCycles(OwnRows& own, OwnStencils& stencils) : RowWriter(own), stencils_(stencils) {}

  void cycles(Builder& b, const core::Stm& stm, const core::Loop& loop);

 private:
  // A loop of stencils in cycles of k steps.
  struct Cycles {
    const core::Loop& loop;
    int64_t reach;
    Operand n, k, bound, count;
    Strip strip;
    std::vector<ValueId> invariants;  // arrays that no step changes
    bool wants_rows;                  // cells take the position along the first axis
    std::optional<Operand> around;    // n, if it wraps around
  };
  // Rows of each array that the loop reads, `ext` of each, from row `first` of the whole on; those
  // beyond the ends of arrays that wrap around are of the other end, of `around`.
  struct Rows {
    std::unordered_map<ValueId, ValueId> of;
    Operand ext, first;
    std::optional<Operand> around;
  };
  struct Edge;

  static constexpr int64_t kMaxSteps = 256;  // of a cycle

  Operand stepsOfCycle(Builder& b, const core::Loop& loop, const Operand& n, int64_t reach);
  Operand stepsBeside(Builder& b, const core::Loop& loop, const Operand& n, int64_t reach);
  void inTurn(Builder& b, const Cycles& cycles, core::Loop* outer);
  void beside(Builder& b, const Cycles& cycles, core::Loop* outer);
  std::vector<ValueId> edgeRows(Builder& b, const Edge& edge, const std::vector<ValueId>& arrays,
                                const std::vector<ValueId>& ghosts);
  std::vector<ValueId> carryRows(const core::Loop& loop, core::Loop* outer);
  std::pair<Operand, Operand> stepsOf(Builder& b, const Cycles& cycles, const core::Loop& outer);
  std::vector<ValueId> stepsOfRows(Builder& b, const core::Loop& loop, const Rows& rows,
                                   std::pair<Operand, Operand> steps);
  core::Body bodyOfRows(const core::Loop& loop, core::Substitution wide, const Rows& rows);

  OwnStencils& stencils_;
};

}  // namespace halo::passes
