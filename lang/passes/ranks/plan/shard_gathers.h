// Arrays of which each rank has rows, and which every cell reads as a whole at each step of a loop:
//
//   loop (x: [n]f32) { x' = screma [n] (rows) { \row -> s = screma [n] (row, x) .. } }
//
// A cell does n operations; a row of another rank is one element of a message. So ranks gather all
// rows at each step (an all-gather) and compute the cells of their own rows, where n * n is large.
#pragma once

#include <vector>

#include "lang/core/ir.h"
#include "lang/passes/ranks/plan/shard_plan.h"

namespace halo::passes {

// Whether each cell of a node goes over all rows of `array`, as many as there are cells: the bodies
// of a simulation, a square matrix and a vector.
bool goesOverRows(const core::Program& program, const core::Stm& stm, core::ValueId array);

// The cells of cut nodes in a loop that go over gathered arrays: their number for each such node,
// squared.
std::vector<core::Operands> gatheredWork(const core::Program& program, const ShardPlan& plan,
                                         const core::Loop& loop);

}  // namespace halo::passes
