// Blocks of rows of the statements that a plan cuts: their least number of rows, and the number of
// which they are multiples. Loops that go several steps at a time, or have room for rows of
// neighbours. The sizes from which on loops and entries are cut at all.
#pragma once

#include "lang/core/ir.h"
#include "lang/passes/ranks/plan/shard_plan.h"

namespace halo::passes {

// Adds to the plan, whose statements and cut arrays are final.
void measureBlocks(const core::Program& program, const core::Function& entry,
                   const ShardOptions& options, ShardPlan& plan);

}  // namespace halo::passes
