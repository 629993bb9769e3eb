// How the sums of a cut node keep the order that one rank would give them.
#pragma once

#include "lang/core/ir.h"
#include "lang/passes/ranks/plan/shard_facts.h"
#include "lang/passes/ranks/plan/shard_plan.h"

namespace halo::passes {

class SumOrder {
 public:
  SumOrder(const core::Program& program, const EntryFacts& facts, const ShardOptions& options,
           ShardPlan& plan)
      : program_(program), facts_(facts), options_(options), plan_(plan) {}

  // Why the sums in the cells of a node lose their order; null where they keep it. Writes the sizes
  // that this rests on into the plan.
  const char* whyNotRows(const core::Stm& stm);
  // Why the reductions and scans of a node lose their order; null where they keep it. Writes the
  // order into the plan. `depth`: loops around the node.
  const char* whyNotOrdered(const core::Stm& stm, int depth);

 private:
  bool hasLongSums(const core::Stm& stm);
  const char* whyNotTiles(const core::Stm& stm, const core::Stencil& stencil);
  const char* whyNotChunks(const core::Stm& stm, const core::Screma& node, int depth);

  const core::Program& program_;
  const EntryFacts& facts_;
  const ShardOptions& options_;
  ShardPlan& plan_;
};

}  // namespace halo::passes
