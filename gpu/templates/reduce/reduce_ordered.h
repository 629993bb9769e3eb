// Reductions that read memory 16 bytes at a time, of operators that must take elements in order.
#pragma once

#include "gpu/templates/reduce/reduce_lanes.h"

namespace halo::gpu {

// Variant `chunks` of those: a workgroup has a part of a segment, each of its subgroups a part of
// that, and turn by turn its lanes neighbouring vectors:
//
//   turn 0   lane 0 | a b c d | lane 1 | e f g h | ..      four turns are loaded together
//
// A lane combines its four elements. Then two lanes do so for half of the turns each. Where lanes 0
// and 1 had values of turns 0 and 1, lane 0 gets both of turn 0, lane 1 both of turn 1. The same
// between lanes 0 and 2, and from then on a lane has one value. So four turns take hardly more
// steps than one. The order depends on extents and on the size of subgroups alone.
class OrderedChunks {
 public:
  OrderedChunks(imp::Program& program, imp::Builder& host, const KernelCall& call,
                const std::vector<const core::Screma*>& levels, const OuterLevels& outer,
                const FlatInputs& flat);

  bool run(const Chunks& chunks);

 private:
  imp::Operand prim(prim::Op op, const imp::Operand& a, const imp::Operand& b);
  imp::Operand within(const imp::Operand& value, const imp::Operand& most);
  void openChunk(const Chunks& chunks);
  imp::Operands elements(const imp::Operand& at, const std::vector<imp::Operands>& loaded,
                         const std::function<imp::Operand(const imp::Operand& i)>& inside,
                         bool any_outside);
  imp::Operands ofSubgroup();
  imp::Operands ofTurns(std::vector<imp::Operands> values);
  imp::Operands halved(const imp::Operands& even, const imp::Operands& odd, uint32_t bit);
  imp::Operands withNext(const imp::Operands& value, uint32_t distance);
  imp::Operands ofGroup(const imp::Operands& value);

  imp::Builder& host_;
  const KernelCall& call_;
  const OuterLevels& outer_;
  KernelScope scope_;
  imp::Builder& code_;
  int64_t lanes_;                          // of a subgroup
  imp::Operand segments_, width_, cells_;  // host
  Operators ops_;
  ElementMap map_;
  imp::Operand lane_, subgroup_, lid_;
  imp::Operand segment_begin_;  // numbers of elements among all
  imp::Operand begin_, end_;    // of the chunk
  imp::Operands indices_;       // of the segment
  imp::Environment bound_;
};

}  // namespace halo::gpu
