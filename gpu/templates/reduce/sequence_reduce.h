// Workgroups for chunks, of operators that take elements in their order.
#pragma once

#include "gpu/templates/reduce/two_stage.h"
#include "gpu/templates/reduce/vector_reduce.h"

namespace halo::gpu {

// A workgroup has a part of a segment, each of its subgroups a part of that, and round by round its
// lanes neighbouring vectors:
//
//   round 0   lane 0 | a b c d | lane 1 | e f g h | ..      four rounds are loaded together
//
// A lane combines its four elements. Then two lanes combine half of the rounds each. Where lanes 0
// and 1 had values of rounds 0 and 1, lane 0 gets both of round 0, lane 1 both of round 1. The same
// between lanes 0 and 2, and from then on a lane has one value. So four rounds take hardly more
// steps than one. The order depends on extents and on the size of subgroups alone.
class SequenceReduce {
 public:
  SequenceReduce(const ReduceNest& nest, const FlatInputs& flat,
                 const WorkgroupReduceSchedule& schedule);

  bool run(const SegmentChunks& chunks, ChunkValues& values);

 private:
  imp::Operand prim(prim::Op op, const imp::Operand& a, const imp::Operand& b) {
    return kernel_.prim(op, a, b);
  }
  imp::Operands ofSubgroup();
  imp::Operands ofTurns(std::vector<imp::Operands> values);
  imp::Operands halved(const imp::Operands& even, const imp::Operands& odd, uint32_t bit);
  imp::Operands withNext(const imp::Operands& value, uint32_t distance);
  void addEnds(const std::vector<imp::VarId>& total);

  VectorReduce kernel_;
  imp::Builder& code_;
  Operators& ops_;
  VectorChunk chunk_;
};

}  // namespace halo::gpu
