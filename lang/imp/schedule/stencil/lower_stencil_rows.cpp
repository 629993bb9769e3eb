// Rows of a stencil (lower_stencil.cpp), one or several at once: the beginnings of neighbours'
// rows, the interior in vectors, the ends.
#include <algorithm>
#include <map>

#include "lang/imp/schedule/lane_reduction.h"
#include "lang/imp/schedule/stencil/sweep.h"
#include "lang/imp/schedule/steps.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

constexpr int kRowBytes = 64;

// Rows at once are written past the caches alternately, if each begins at the same place of a line.
// Of large arrays with other rows each is better off alone.
Operand blocksOfRows(Builder& b, const ArrayRef& output, const Operands& extents) {
  constexpr int64_t kLineBytes = 64, kLargeBytes = 12 << 20;
  Operand bytes = b.mul(extents.back(), Operand::ofI64(prim::byteSize(output.type)));
  Operand misfit = b.prim(Op::kAnd, ScalarType::kI64, {bytes, Operand::ofI64(kLineBytes - 1)});
  Operand fits = b.prim(Op::kEq, ScalarType::kI64, {misfit, kZero});
  Operand all = b.mul(bytes, extents[0]);
  Operand is_small = b.prim(Op::kLt, ScalarType::kI64, {all, Operand::ofI64(kLargeBytes)});
  Operand together = b.prim(Op::kOr, ScalarType::kBool, {fits, is_small});
  Operand blocks = b.prim(Op::kMachineDiv, ScalarType::kI64, {extents[0], Operand::ofI64(kRows)});
  return b.let("blocks", ScalarType::kI64, Select{together, blocks, kZero});
}

int64_t cut(int64_t offset) { return std::clamp(offset, -kFarAway, kFarAway); }

// How far a window reaches to the left.
int64_t leftReach(const core::Window& window) {
  int64_t reach = 0;
  for (const std::vector<int64_t>& offset : window.offsets) {
    reach = std::max(reach, -cut(offset.back()));
  }
  return reach;
}

}  // namespace

// kRows rows at once, then their ends one after the other; at last the rows that are left over.
void Lowering::Sweep::lowerRows() {
  Operand height = extents[position.size()];
  Operand at_once = Operand::ofI64(kRows);
  Operand blocks = blocksOfRows(b_, outputs[0], extents);
  auto row = [&](Operand y, bool all) {
    position.push_back(y);
    lowerRow(all);
    position.pop_back();
  };
  low_.parallelLoop("rows", kZero, blocks, [&](Operand block) {
    Operand first = b_.mul(block, at_once);
    position.push_back(first);
    lowerInterior(kRows);
    position.pop_back();
    Operand end = b_.add(first, at_once);
    if (hasEnds()) b_.forLoop("y", first, end, [&](Operand y) { row(y, false); });
  });
  low_.parallelLoop("y", b_.mul(blocks, at_once), height, [&](Operand y) { row(y, true); });
}

// The cells of `count` rows from the current one that have all their neighbours.
void Lowering::Sweep::lowerInterior(int64_t count) {
  rows.clear();
  coordinates.clear();
  for (shift = 0; shift < count; ++shift) findRows();
  Operand lo = columns ? columns->first : kZero;
  Operand hi = columns ? columns->second : extents.back();
  auto [from, to] = interiorOf(lo, hi);
  const auto next = nextRows(count);
  auto cells = [&](Operand x) {
    fetch(next, x);
    for (shift = 0; shift < count; ++shift) {
      lowerCell(x, false, [](Results&) {});
    }
  };
  if (columns) {
    cachedCells(from, to, cells);
  } else {
    low_.loop("x", from, to, true, cells);
  }
  shift = 0;
}

// Cells of short rows in the cache: LLVM's own vectors would leave their ends to scalar loops.
void Lowering::Sweep::cachedCells(Operand from, Operand to,
                                  const std::function<void(Operand)>& each) const {
  int bytes = std::max(prim::byteSize(outputs[0].type), 4);
  b_.forLoop("x", lineStart(from), to, each, Schedule::kVector, kRowBytes / bytes);
}

// From where to where no neighbour is outside of lo .. hi.
std::pair<Operand, Operand> Lowering::Sweep::interiorOf(Operand lo, Operand hi) const {
  if (isEndless(extents.size() - 1)) return {lo, hi};
  int64_t reach_left = 0, reach_right = 0;
  for (const core::Window& window : node.windows) {
    for (const std::vector<int64_t>& offset : window.offsets) {
      reach_left = std::max(reach_left, -cut(offset.back()));
      reach_right = std::max(reach_right, cut(offset.back()));
    }
  }
  Operand left = b_.min(b_.max(Operand::ofI64(reach_left), lo), hi);
  Operand end = b_.sub(extents.back(), Operand::ofI64(reach_right));
  Operand right = b_.max(left, columns ? b_.min(end, hi) : end);
  return {left, right};
}

// Where the vectors of an interior from `left` on begin.
Operand Lowering::Sweep::lineStart(Operand left) const {
  if (!begins_lines) return left;
  Operand line = b_.prim(Op::kAnd, ScalarType::kI64, {left, Operand::ofI64(-kLineCells)});
  Operand exact = reads_exactly;
  int64_t before = 0;  // of the first row this would lie in front of an array from outside
  for (const core::Window& window : node.windows) {
    if (!rings.contains(window.array)) before = std::max(before, leftReach(window));
  }
  if (before > 0) {
    Operand is_outside = b_.prim(Op::kLt, ScalarType::kI64, {line, Operand::ofI64(before)});
    exact = b_.prim(Op::kOr, ScalarType::kBool, {exact, is_outside});
  }
  return b_.let("line", ScalarType::kI64, Select{exact, left, line});
}

void Lowering::Sweep::findRows() {
  size_t outer = position.size();
  for (size_t w = 0; w < node.windows.size(); ++w) {
    const core::Window& window = node.windows[w];
    const ArrayRef& source = low_.array(window.array);
    for (const std::vector<int64_t>& offset : window.offsets) {
      std::vector<int64_t> far = outerOffsets(offset);
      if (rows.contains({w, far})) continue;
      Operand base = source.offset;
      for (size_t axis = 0; axis < outer; ++axis) {
        auto [found, is_new] =
            coordinates.try_emplace({axis, window.boundary[axis].kind, far[axis]});
        if (is_new) {
          found->second = staticNeighbour(axis, far[axis], window.boundary[axis]);
        }
        if (source.isVirtual()) continue;
        Operand row = found->second.index;
        if (axis == 0 && isInRing(window.array)) row = inRing(b_, window.array, row);
        base = b_.add(base, b_.mul(row, source.strides[axis]));
      }
      rows[{w, far}] = base;
    }
  }
}

// `with_interior`: not only its ends.
void Lowering::Sweep::lowerRow(bool with_interior) {
  rows.clear();
  coordinates.clear();
  findRows();
  if (!split) return unsplitRow();
  Operand lo = columns ? columns->first : kZero;
  Operand hi = columns ? columns->second : extents.back();
  auto [left, right] = interiorOf(lo, hi);
  if (with_interior) right = rowInterior(left, right);
  if (!hasEnds() && lanes == nullptr) return;
  rowEnds({lo, left}, {right, hi});
}

// The reductions' step for a cell that is not in a lane.
void Lowering::Sweep::reduceCell(Results& values) {
  if (lanes != nullptr) lanes->sequential(values);
  AccumulatorLowering(low_, stm).combineReductions(node.reductions, accumulators, values);
  low_.release(values.owned);
}

// Cells one after the other, each of which handles the boundary; unless offsets that only the run
// tells have an interior.
void Lowering::Sweep::unsplitRow() {
  auto cells = [&](Operand from, Operand to) {
    low_.loop("x", from, to, accumulators.empty(),
              [&](Operand x) { lowerCell(x, true, [&](Results& values) { reduceCell(values); }); });
  };
  Operand width = extents.back();
  if (interior.empty()) return cells(kZero, width);
  auto [left, right] = interiorOfRow();
  cells(kZero, left);
  inside = true;
  cells(left, right);
  inside = false;
  cells(right, width);
}

// Returns where it ends: whole blocks of lanes leave the rest to the ends of the row.
Operand Lowering::Sweep::rowInterior(Operand left, Operand right) {
  auto use = [&](Results& values) { reduceCell(values); };
  if (lanes != nullptr) return rowInLanes(left, right);
  if (columns) {  // rows in the cache: their ends would cost as much as the rest
    cachedCells(left, right, [&](Operand x) { lowerCell(x, false, use); });
    return right;
  }
  const auto next = nextRows(1);
  low_.loop("x", left, right, true, [&](Operand x) {
    fetch(next, x);
    lowerCell(x, false, use);
  });
  return right;
}

Operand Lowering::Sweep::rowInLanes(Operand left, Operand right) {
  Operand count = Operand::ofI64(kLanes);
  Operand blocks = b_.prim(Op::kMachineDiv, ScalarType::kI64, {b_.sub(right, left), count});
  b_.forLoop("block", kZero, blocks, [&](Operand block) {
    Operand base = b_.add(left, b_.mul(block, count));
    low_.loop("lane", kZero, count, true, [&](Operand l) {
      lowerCell(b_.add(base, l), false, [&](Results& values) { lanes->lane(l, values); });
    });
  });
  return b_.add(left, b_.mul(blocks, count));
}

// One loop for the cells of both ends.
void Lowering::Sweep::rowEnds(std::pair<Operand, Operand> at_left,
                              std::pair<Operand, Operand> at_right) {
  Operand before = b_.sub(at_left.second, at_left.first);
  Operand cells = b_.add(before, b_.sub(at_right.second, at_right.first));
  b_.forLoop("edge", kZero, cells, [&](Operand cell) {
    Operand is_left = b_.prim(Op::kLt, ScalarType::kI64, {cell, before});
    Operand behind = b_.add(b_.sub(cell, before), at_right.first);
    Operand first = b_.add(at_left.first, cell);
    Operand x = b_.let("x", ScalarType::kI64, Select{is_left, first, behind});
    lowerCell(x, true, [&](Results& values) { reduceCell(values); });
  });
}

}  // namespace halo::imp
