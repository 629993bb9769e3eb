// A screma whose reductions are done in lanes. See lower_lanes.cpp.
#pragma once

#include "lang/imp/schedule/lane_reduction.h"

namespace halo::imp {

class ScremaLanes {
 public:
  // `outputs`: of the map.
  ScremaLanes(Lowering& lowering, const core::Stm& stm, const core::Screma& node,
              const std::vector<ArrayRef>& outputs);
  void run();         // sets the results of reductions
  void runPartial();  // sets them to partial values

 private:
  struct Chunks {
    Operand blocks, count;
  };
  Results element(Operand i);
  void laneBlocks(Operand first, Operand last);
  Chunks chunksOf(Operand blocks);
  void chunkBlocks(const Chunks& chunks, Operand chunk);
  void laneChunks(Operand blocks);
  void treesOfChunks(const Chunks& chunks, const std::vector<ArrayRef>& partial);

  Lowering& low_;
  Builder& b_;
  const LoweringTarget& target_;
  const core::Stm& stm_;
  const core::Screma& node_;
  const std::vector<ArrayRef>& outputs_;
  LaneReduction reduction_;
};

}  // namespace halo::imp
