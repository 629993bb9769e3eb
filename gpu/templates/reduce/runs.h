// Runs of neighbouring invocations of a workgroup, each of which has a segment or a chunk of one.
#pragma once

#include "gpu/templates/kernel/group_sums.h"
#include "gpu/templates/reduce/reduce_nest.h"

namespace halo::gpu {

// How `segments` of `width` elements are spread, as host operands.
struct Spread {
  imp::Operand segments, width;
  imp::Operand log_lanes;  // a run of 2^log_lanes invocations for each chunk
  imp::Operand chunks;     // of one segment
  imp::Operand length;     // of a chunk, but the last of a segment
};

// As the schedule says, chunks included.
Spread spreadOf(const ReduceNest& nest, const ReduceSchedule& schedule);
// One run for each segment, whose elements are the values of its chunks.
Spread spreadOfChunks(imp::Builder& host, const SegmentChunks& chunks);

// Workgroups of a launch where a run has so many chunks.
imp::Operands workgroupsOf(imp::Builder& host, const Spread& spread, int64_t chunks_of_run = 1);

// The place of one invocation.
struct Lane {
  imp::Operand lid, number, log_lanes, lanes;  // `number` within the run
  imp::Operand item, segment, chunk;           // of the run; neighbours have neighbouring segments
  imp::Operands indices;                       // of the segment, in the levels around
  imp::Operand inside;                         // whether there is such an item
};
// One for each chunk of the run.
std::vector<Lane> lanesOf(KernelScope& scope, const ReduceNest& nest, const Spread& spread,
                          int64_t chunks_of_run);

// The names that the levels around the reduction bind for the lane's segment.
imp::Environment segmentOf(KernelScope& scope, const ReduceNest& nest, const Lane& lane,
                           const imp::Operand& cells);

// The elements lo <= i < hi of a run.
struct Share {
  imp::Operand lo, hi;
  bool is_strided;  // a lane has every lanes-th of them, else consecutive ones
  int64_t unroll;   // loads under way together, where the element's code is straight
};
// `element(i)` for the lane's share.
void forEachOf(imp::Builder& code, const Lane& lane, const Share& share,
               const std::function<void(const imp::Operand& i)>& element);

// `use(totals)` with the sums of a run, in its first lane.
void withTotals(KernelScope& scope, GroupSums& sums, const Lane& lane,
                const std::function<void(const imp::Operands& totals)>& use);

inline constexpr int kRunsWorkgroup[3] = {kGroup, 1, 1};

}  // namespace halo::gpu
