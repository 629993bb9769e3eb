// Reductions in lanes, as loops: blocks of kLanes elements, of which element i goes to lane i, in
// chunks if threads may have one each.
#include <algorithm>

#include "lang/base/check.h"
#include "lang/imp/schedule/lower_lanes.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

bool Lowering::canUseLanes(const std::vector<core::Reduction>& reductions,
                           const core::Lambda& map) const {
  if (!target_.vectorise || in_lanes_ || !core::reducesInLanes(core_, map, reductions))
    return false;
  return !target_.strict_floats ||
         std::none_of(reductions.begin(), reductions.end(), [&](const core::Reduction& reduction) {
           return std::any_of(
               reduction.op.params.begin(), reduction.op.params.end(),
               [&](ValueId param) { return prim::isFloat(core_.type(param).scalar); });
         });
}

ScremaLanes::ScremaLanes(Lowering& lowering, const core::Stm& stm, const core::Screma& node,
                         const std::vector<ArrayRef>& outputs)
    : low_(lowering),
      b_(lowering.b_),
      target_(lowering.target_),
      stm_(stm),
      node_(node),
      outputs_(outputs),
      reduction_(lowering, node.reductions) {}

Results ScremaLanes::element(Operand i) {
  return low_.element(node_.inputs, node_.map, i, outputs_, reduction_.count());
}

void ScremaLanes::laneBlocks(Operand first, Operand last) {
  Operand lanes = Operand::ofI64(kLanes);
  reduction_.start();
  b_.forLoop("block", first, last, [&](Operand block) {
    Operand base = b_.mul(block, lanes);
    low_.loop("lane", kZero, lanes, true,
              [&](Operand l) { reduction_.lane(l, element(b_.add(base, l))); });
  });
}

ScremaLanes::Chunks ScremaLanes::chunksOf(Operand blocks) {
  Operand size = Operand::ofI64(kChunkBlocks);
  Operand rounded = b_.add(blocks, Operand::ofI64(kChunkBlocks - 1));
  return {blocks, b_.prim(Op::kMachineDiv, ScalarType::kI64, {rounded, size})};
}

void ScremaLanes::chunkBlocks(const Chunks& chunks, Operand chunk) {
  Operand size = Operand::ofI64(kChunkBlocks);
  Operand first = b_.mul(chunk, size);
  laneBlocks(first, b_.min(b_.add(first, size), chunks.blocks));
}

// An outermost reduction is cut into chunks whose results are combined in order, so that threads
// may have one each. With one thread the order is the same.
void ScremaLanes::laneChunks(Operand blocks) {
  const Chunks chunks = chunksOf(blocks);
  if (!target_.parallel) {
    b_.forLoop("chunk", kZero, chunks.count, [&](Operand chunk) {
      chunkBlocks(chunks, chunk);
      reduction_.fold();
    });
    return;
  }
  std::vector<ArrayRef> partial;
  for (size_t k = 0; k < reduction_.count(); ++k) {
    partial.push_back(low_.fresh("partial", reduction_.type(k), {chunks.count}));
  }
  treesOfChunks(chunks, partial);
  b_.forLoop("chunk", kZero, chunks.count, [&](Operand chunk) {
    size_t k = 0;
    for (size_t r = 0; r < node_.reductions.size(); ++r) {
      Operands values;
      while (values.size() < node_.reductions[r].neutral.size()) {
        values.push_back(loadElement(b_, partial[k++], {chunk}));
      }
      reduction_.add(r, values);
    }
  });
}

// A value of each chunk, in any order of chunks.
void ScremaLanes::treesOfChunks(const Chunks& chunks, const std::vector<ArrayRef>& partial) {
  low_.chunkLoop(chunks.count, [&](Operand chunk) {
    chunkBlocks(chunks, chunk);
    size_t k = 0;
    for (size_t r = 0; r < node_.reductions.size(); ++r) {
      for (Operand value : reduction_.tree(r)) storeElement(b_, partial[k++], {chunk}, value);
    }
  });
}

// Values of the chunks, then of the elements behind them: another loop combines them all
// (core/lane_sums.h). Each element is one where there are as many values.
void ScremaLanes::runPartial() {
  const bool are_elements = *node_.partial_values == node_.width;
  const bool is_replay = !target_.vectorise;  // looks for the element that fails
  HALO_CHECK(are_elements || is_replay || low_.canUseLanes(node_.reductions, node_.map),
             "partial values of a node without lanes");
  const size_t first = reduction_.count();
  Operand width = low_.scalar(node_.width);
  Operand lanes = Operand::ofI64(kLanes);
  std::vector<ArrayRef> partial;
  for (size_t k = 0; k < first; ++k) partial.push_back(low_.destinations_.output(stm_.results[k]));
  Operand done = kZero, before = kZero;
  if (!are_elements && !is_replay) {
    const Chunks chunks = chunksOf(b_.prim(Op::kMachineDiv, ScalarType::kI64, {width, lanes}));
    treesOfChunks(chunks, partial);
    done = b_.mul(chunks.blocks, lanes);
    before = b_.sub(chunks.count, done);
  }
  b_.forLoop("i", done, width, [&](Operand i) {
    const Results values = element(i);
    Operand at = b_.add(before, i);
    if (is_replay) at = b_.min(at, b_.sub(low_.scalar(*node_.partial_values), Operand::ofI64(1)));
    for (size_t k = 0; k < first; ++k) storeElement(b_, partial[k], {at}, values.scalars[k]);
    low_.release(values.owned);
  });
  for (size_t k = 0; k < first; ++k) low_.set(stm_.results[k], partial[k]);
}

// Whole blocks of kLanes elements in lanes, the rest behind them from left to right.
void ScremaLanes::run() {
  size_t first = reduction_.count();
  Operand width = low_.scalar(node_.width);
  Operand lanes = Operand::ofI64(kLanes);
  Operand blocks = b_.prim(Op::kMachineDiv, ScalarType::kI64, {width, lanes});
  bool is_short = width.isConstant() && width.constant.asSigned() <= kLanes * kChunkBlocks;
  const bool has_blocks = !width.isConstant() || width.constant.asSigned() >= kLanes;
  if (!has_blocks) {
    blocks = kZero;
  } else if (low_.independent_ == 0 && !is_short) {
    laneChunks(blocks);
  } else {
    Operand some = b_.prim(Op::kLt, ScalarType::kI64, {kZero, blocks});
    b_.ifThenElse(some, [&] {
      laneBlocks(kZero, blocks);
      reduction_.fold();
    });
  }
  b_.forLoop("i", b_.mul(blocks, lanes), width,
             [&](Operand i) { reduction_.sequential(element(i)); });
  for (size_t k = 0; k < first; ++k) low_.set(stm_.results[k], reduction_.result(k));
}

}  // namespace halo::imp
