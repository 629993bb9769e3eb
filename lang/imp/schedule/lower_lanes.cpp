// Reductions in lanes, as loops: blocks of kLanes elements, of which element i goes to lane i, in
// chunks if threads may have one each.
#include <algorithm>

#include "lang/base/check.h"
#include "lang/imp/schedule/lane_reduction.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

bool Lowering::canUseLanes(const std::vector<core::Reduction>& reductions,
                           const core::Lambda& map) const {
  if (!place_.vectorise || in_lanes_ || !core::reducesInLanes(core_, map, reductions)) return false;
  return !place_.strict_floats ||
         std::none_of(reductions.begin(), reductions.end(), [&](const core::Reduction& reduction) {
           return std::any_of(
               reduction.op.params.begin(), reduction.op.params.end(),
               [&](ValueId param) { return prim::isFloat(core_.type(param).scalar); });
         });
}

void Lowering::laneBlocks(const core::Screma& node, const std::vector<ArrayRef>& outputs,
                          LaneReduction& reduction, Operand first, Operand last) {
  Operand lanes = Operand::ofI64(kLanes);
  reduction.start();
  b_.forLoop("block", first, last, [&](Operand block) {
    Operand base = b_.mul(block, lanes);
    loop("lane", kZero, lanes, true, [&](Operand l) {
      reduction.lane(l,
                     element(node.inputs, node.map, b_.add(base, l), outputs, reduction.count()));
    });
  });
}

Lowering::LaneChunks Lowering::chunksOf(Operand blocks) {
  Operand size = Operand::ofI64(kChunkBlocks);
  Operand rounded = b_.add(blocks, Operand::ofI64(kChunkBlocks - 1));
  return {blocks, b_.prim(Op::kMachineDiv, ScalarType::kI64, {rounded, size})};
}

void Lowering::chunkBlocks(const core::Screma& node, const std::vector<ArrayRef>& outputs,
                           LaneReduction& reduction, const LaneChunks& chunks, Operand chunk) {
  Operand size = Operand::ofI64(kChunkBlocks);
  Operand first = b_.mul(chunk, size);
  laneBlocks(node, outputs, reduction, first, b_.min(b_.add(first, size), chunks.blocks));
}

// An outermost reduction is cut into chunks whose results are combined in order, so that threads
// may have one each. With one thread the order is the same.
void Lowering::laneChunks(const core::Screma& node, const std::vector<ArrayRef>& outputs,
                          LaneReduction& reduction, Operand blocks) {
  const LaneChunks chunks = chunksOf(blocks);
  if (!place_.parallel) {
    b_.forLoop("chunk", kZero, chunks.count, [&](Operand chunk) {
      chunkBlocks(node, outputs, reduction, chunks, chunk);
      reduction.fold();
    });
    return;
  }
  std::vector<ArrayRef> partial;
  for (size_t k = 0; k < reduction.count(); k++) {
    partial.push_back(fresh("partial", reduction.type(k), {chunks.count}));
  }
  treesOfChunks(node, outputs, reduction, chunks, partial);
  b_.forLoop("chunk", kZero, chunks.count, [&](Operand chunk) {
    size_t k = 0;
    for (size_t r = 0; r < node.reductions.size(); r++) {
      Operands values;
      while (values.size() < node.reductions[r].neutral.size()) {
        values.push_back(loadElement(b_, partial[k++], {chunk}));
      }
      reduction.add(r, values);
    }
  });
}

// A value of each chunk, in any order of chunks.
void Lowering::treesOfChunks(const core::Screma& node, const std::vector<ArrayRef>& outputs,
                             LaneReduction& reduction, const LaneChunks& chunks,
                             const std::vector<ArrayRef>& partial) {
  chunkLoop(chunks.count, [&](Operand chunk) {
    chunkBlocks(node, outputs, reduction, chunks, chunk);
    size_t k = 0;
    for (size_t r = 0; r < node.reductions.size(); r++) {
      for (Operand value : reduction.tree(r)) storeElement(b_, partial[k++], {chunk}, value);
    }
  });
}

// Values of the chunks, then of the elements behind them: another loop combines them all
// (core/lane_sums.h). Each element is one where there are as many values.
void Lowering::partialLanes(const core::Stm& stm, const core::Screma& node,
                            const std::vector<ArrayRef>& outputs) {
  const bool are_elements = *node.partial_values == node.width;
  const bool is_replay = !place_.vectorise;  // looks for the element that fails
  HALO_CHECK(are_elements || is_replay || canUseLanes(node.reductions, node.map),
             "partial values of a node without lanes");
  LaneReduction reduction(*this, node.reductions);
  const size_t first = reduction.count();
  Operand width = scalar(node.width);
  Operand lanes = Operand::ofI64(kLanes);
  std::vector<ArrayRef> partial;
  for (size_t k = 0; k < first; k++) partial.push_back(output(stm.results[k]));
  Operand done = kZero, before = kZero;
  if (!are_elements && !is_replay) {
    const LaneChunks chunks = chunksOf(b_.prim(Op::kMachineDiv, ScalarType::kI64, {width, lanes}));
    treesOfChunks(node, outputs, reduction, chunks, partial);
    done = b_.mul(chunks.blocks, lanes);
    before = b_.sub(chunks.count, done);
  }
  b_.forLoop("i", done, width, [&](Operand i) {
    const Results values = element(node.inputs, node.map, i, outputs, first);
    Operand at = b_.add(before, i);
    if (is_replay) at = b_.min(at, b_.sub(scalar(*node.partial_values), Operand::ofI64(1)));
    for (size_t k = 0; k < first; k++) storeElement(b_, partial[k], {at}, values.scalars[k]);
    release(values.owned);
  });
  for (size_t k = 0; k < first; k++) set(stm.results[k], partial[k]);
}

// Whole blocks of kLanes elements in lanes, the rest behind them from left to right.
void Lowering::scremaLanes(const core::Stm& stm, const core::Screma& node,
                           const std::vector<ArrayRef>& outputs) {
  LaneReduction reduction(*this, node.reductions);
  size_t first = reduction.count();
  Operand width = scalar(node.width);
  Operand lanes = Operand::ofI64(kLanes);
  Operand blocks = b_.prim(Op::kMachineDiv, ScalarType::kI64, {width, lanes});
  bool is_short = width.isConstant() && width.constant.asSigned() <= kLanes * kChunkBlocks;
  const bool has_blocks = !width.isConstant() || width.constant.asSigned() >= kLanes;
  if (!has_blocks) {
    blocks = kZero;
  } else if (independent_ == 0 && !is_short) {
    laneChunks(node, outputs, reduction, blocks);
  } else {
    Operand some = b_.prim(Op::kLt, ScalarType::kI64, {kZero, blocks});
    b_.ifThenElse(some, [&] {
      laneBlocks(node, outputs, reduction, kZero, blocks);
      reduction.fold();
    });
  }
  b_.forLoop("i", b_.mul(blocks, lanes), width, [&](Operand i) {
    reduction.sequential(element(node.inputs, node.map, i, outputs, first));
  });
  for (size_t k = 0; k < first; k++) set(stm.results[k], reduction.result(k));
}

}  // namespace halo::imp
