// Loops of independent iterations that run several iterations at once although there are loops and
// branches inside: which loops may, and when the estimated cost is lower.
#pragma once

#include "lang/core/lane_sums.h"
#include "lang/imp/ir.h"

namespace halo::imp {

inline constexpr int64_t kLanes = core::kSumLanes;  // of a reduction whose order is free

inline constexpr int64_t kPrivateBytesOfLane = 1024;

// The body with copies of few elements as loops over them: lanes copy no blocks of memory.
Block withElementCopies(Program& program, Block body);

// Only scalars, loads and stores, private arrays and failures in loops and branches.
bool canRunInLanes(const Program& program, const Block& body);
// Does every access go to one element for all iterations over `var`, or to neighbours of each
// other?
bool hasUnitSteps(const Block& body, VarId var);

// Estimated work of an iteration of a loop over `var`, with its iterations in sequence and in
// lanes. In sequence, vector loops inside count as such.
double costAlone(const Block& body);
double costInLanes(const Block& body, VarId var);

}  // namespace halo::imp
