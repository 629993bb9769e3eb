// What blocks of rows have to be, for the statements that a plan cuts: how many rows at least, and
// multiples of which number; which loops go several steps at a time, which have room for rows of
// neighbours; from which sizes on loops and entries are cut at all.
#pragma once

#include "lang/core/ir.h"
#include "lang/passes/ranks/shard_plan.h"

namespace halo::passes {

// Adds to the plan, whose statements and cut arrays are final.
void measureBlocks(const core::Program& program, const core::Function& entry,
                   const ShardOptions& options, ShardPlan& plan);

}  // namespace halo::passes
