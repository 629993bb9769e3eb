// Runs of neighbouring invocations of a workgroup, each of which has a segment or a chunk of one.
#pragma once

#include "gpu/templates/kernel/group_sums.h"
#include "gpu/templates/reduce/reduce_nest.h"

namespace halo::gpu {

// How `segments` of `width` elements are spread, as host operands.
struct Spread {
  imp::Operand segments, width;
  std::vector<int64_t> tile;  // segments of a run, along each level around; all 1: one of them
  imp::Operand tiles;         // of segments
  imp::Operand log_lanes;     // a run of 2^log_lanes invocations for each chunk
  imp::Operand chunks;        // of one segment, or of all segments of a tile
  imp::Operand length;        // of a chunk, but the last of a segment
  bool are_strided = false;   // neighbouring invocations are lanes of neighbouring runs
};

// As the schedule says, chunks included.
Spread spreadOf(const ReduceNest& nest, const ReduceSchedule& schedule);
// One run for each segment, whose elements are the values of its chunks.
Spread spreadOfChunks(imp::Builder& host, const SegmentChunks& chunks);

imp::Operands workgroupsOf(imp::Builder& host, const Spread& spread);

// The place of one invocation, for one segment of its run.
struct Lane {
  imp::Operand lid;                       // lanes of a run have neighbouring ones
  imp::Operand number, log_lanes, lanes;  // `number` within the run
  imp::Operand item, segment, chunk;      // of the run; neighbours have neighbouring segments
  imp::Operands indices;                  // of the segment, in the levels around
  imp::Operand has_run;                   // whether the run has a tile
  imp::Operand inside;                    // and there is this segment of it
};
// One for each segment of the run's tile.
std::vector<Lane> lanesOf(KernelScope& scope, const ReduceNest& nest, const Spread& spread,
                          const imp::Operand& workgroup);

// The names that the levels around the reduction bind for the lane's segment.
imp::Environment segmentOf(KernelScope& scope, const ReduceNest& nest, const Lane& lane,
                           const imp::Operand& cells);

// The elements lo <= i < hi of a run.
struct Share {
  imp::Operand lo, hi;
  bool is_strided;  // a lane has every lanes-th of them, else consecutive ones
  int64_t unroll;   // loads under way together, where the element's code is straight
};
using Element = std::function<void(const imp::Operand& i)>;
// `element(i)` for the lane's share.
void forEachOf(imp::Builder& code, const Lane& lane, const Share& share, const Element& element);
// `block` for so many elements of the lane at a time, `element` for the rest.
using ElementBlock = std::function<void(const imp::Operands& elements)>;
void forBlocksOf(imp::Builder& code, const Lane& lane, const Share& share, int64_t elements,
                 const ElementBlock& block, const Element& element);

// `use(totals)` with the sums of a run, in its first lane.
void withTotals(KernelScope& scope, GroupSums& sums, const Lane& lane,
                const std::function<void(const imp::Operands& totals)>& use);

inline constexpr int kRunsWorkgroup[3] = {kGroup, 1, 1};

}  // namespace halo::gpu
