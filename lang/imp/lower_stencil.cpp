// Stencils: outer axes are plain loops whose neighbours' rows are found (by the boundary) once per
// row. The innermost axis is split: an interior where no neighbour is outside, unit stride and
// without any test, and one loop over the cells left and right of it, which minds the boundary.
// With offsets that only the run tells there is an interior where all rows are inside as well.
//
//   x:   0 .. left | left .............. right | right .. width
//        border    | interior (vector)         | border
#include <algorithm>
#include <map>

#include "lang/base/check.h"
#include "lang/imp/boundary.h"
#include "lang/imp/lane_reduction.h"
#include "lang/imp/lowering.h"
#include "lang/imp/steps.h"
#include "lang/imp/sweep.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

const Operand kZero = Operand::ofI64(0);
constexpr int kRowBytes = 64;
constexpr int64_t kFarRows = 8;
// Beside the windows; rows of more arrays at once are more streams than the caches follow.
constexpr size_t kSharedArrays = 2;
constexpr size_t kSharedNeighbours = 32, kSharedStatements = 64;

// Rows at once are written past the caches by turns, if each begins at the same place of a line; of
// large arrays with other rows each is better off alone.
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

// Where the next `count` rows of an array begin, seen from a row of it, or its last row.
struct NextRows {
  BufferId buffer;
  Operands begins;
};
NextRows rowsAfter(Builder& b, const ArrayRef& source, const Operands& position,
                   const Operands& extents, std::vector<int64_t> far, int64_t count) {
  NextRows next{source.buffer, {}};
  for (int64_t k = 0; k < count; k++) {
    far.back()++;
    Operand begin = source.offset;
    for (size_t axis = 0; axis < far.size(); axis++) {
      Operand row = b.add(position[axis], Operand::ofI64(far[axis]));
      row = b.max(kZero, b.min(row, b.sub(extents[axis], Operand::ofI64(1))));
      begin = b.add(begin, b.mul(row, source.strides[axis]));
    }
    next.begins.push_back(begin);
  }
  return next;
}

// Element x of rows that only later iterations read: nobody uses what is loaded, it only comes
// nearer. The hardware follows a row, but begins anew with each page.
void fetch(Builder& b, const std::vector<NextRows>& next, Operand x) {
  for (const NextRows& rows : next) {
    for (const Operand& begin : rows.begins) b.load(rows.buffer, b.add(begin, x));
  }
}

// Of every array that the stencil reads: behind the farthest of the rows at hand, of which there
// are `count`.
template <typename Sweep, typename ArrayOf>
std::vector<NextRows> nextRows(Builder& b, const Sweep& sweep, int64_t count,
                               const ArrayOf& array) {
  std::vector<NextRows> next;
  const size_t outer = sweep.position.size();
  if (outer == 0 || sweep.columns) return next;
  auto add = [&](const ArrayRef& source, const std::vector<int64_t>& far) {
    if (source.isVirtual() || source.strides[outer] != Operand::ofI64(1)) return;
    next.push_back(rowsAfter(b, source, sweep.position, sweep.extents, far, count));
  };
  for (size_t w = 0; w < sweep.node.windows.size(); w++) {
    auto behind = sweep.rows.upper_bound({w + 1, {}});  // no offset is less than none
    if (behind == sweep.rows.begin()) continue;
    const auto& [window, far] = std::prev(behind)->first;
    if (window == w) add(array(sweep.node.windows[w].array), far);
  }
  std::vector<int64_t> own(outer);
  own.back() = count - 1;
  for (ValueId input : sweep.node.inputs) add(array(input), own);
  return next;
}

// How far a window reaches to the left.
int64_t leftReach(const core::Window& window) {
  int64_t reach = 0;
  for (const std::vector<int64_t>& offset : window.offsets) {
    reach = std::max(reach, -cut(offset.back()));
  }
  return reach;
}

}  // namespace

// Are there rows above or below a cell that the next rows want as well, and registers for them? In
// space the planes around are streams enough: four rows of each made it two to three times as slow.
const char* whyRowsApart(const core::Program& program, const core::Stm& stm) {
  const auto& node = std::get<core::Stencil>(stm.expr);
  if (node.space.size() != 2) return "only planes have several rows at once";
  if (node.inputs.size() + stm.results.size() > kSharedArrays) return "too many arrays";
  bool shares = false;
  size_t neighbours = 0;
  for (const core::Window& window : node.windows) {
    neighbours += window.offsets.size();
    for (const std::vector<int64_t>& offset : window.offsets) {
      shares = shares || offset[0] != window.offsets[0][0];
      if (std::abs(offset[0]) > kFarRows) return "neighbours too far";
    }
  }
  if (!shares) return "rows have no neighbours in common";
  if (neighbours > kSharedNeighbours) return "too many neighbours";
  if (!isSimple(program, node.map.body)) return "checks or loops in the body";
  return node.map.body.stms.size() > kSharedStatements ? "a long body" : nullptr;
}

// Of the row at hand, along an outer axis.
Neighbour Lowering::staticNeighbour(const Sweep& sweep, size_t axis, int64_t offset,
                                    const core::Boundary& boundary) {
  Operand position = sweep.position[axis];
  if (offset == 0) return {position, {}};
  if (sweep.isEndless(axis)) return {b_.add(position, Operand::ofI64(offset)), {}};
  return neighbourAt(b_, boundary, position, Operand::ofI64(offset), sweep.extents[axis]);
}

void Lowering::lower(const core::Stm& stm, const core::Stencil& node) {
  Sweep sweep{stm, node, scalars(node.space)};
  size_t reduced = 0;
  for (const core::Reduction& reduction : node.reductions) reduced += reduction.neutral.size();
  for (size_t k = reduced; k < stm.results.size(); k++) {
    sweep.outputs.push_back(mapOutput(stm.results[k]));
  }
  bool dynamic = std::any_of(node.windows.begin(), node.windows.end(),
                             [](const core::Window& window) { return !window.dynamic.empty(); });
  bool use_lanes = canUseLanes(node.reductions, node.map);
  sweep.split = place_.vectorise && !dynamic && (node.reductions.empty() || use_lanes);
  if (dynamic && place_.vectorise) findInterior(sweep);
  std::optional<LaneReduction> lanes;
  if (use_lanes && sweep.split) {
    lanes.emplace(*this, node.reductions);
    sweep.lanes = &*lanes;
    lanes->start();
  } else {
    size_t position = 0;
    for (const core::Reduction& reduction : node.reductions) {
      sweep.accumulators.push_back(startAccumulators(reduction.neutral, stm, position, true,
                                                     isElementwise(core_, reduction.op)));
      position += reduction.neutral.size();
    }
  }
  stencilAxis(sweep);
  if (lanes) {
    lanes->fold();
    for (size_t k = 0; k < reduced; k++) set(stm.results[k], lanes->result(k));
  }
  for (const auto& accumulators : sweep.accumulators) finish(accumulators);
  for (size_t k = 0; k < sweep.outputs.size(); k++) set(stm.results[reduced + k], sweep.outputs[k]);
}

void Lowering::stencilAxis(Sweep& sweep) {
  size_t axis = sweep.position.size();
  if (axis + 1 == sweep.extents.size()) {
    stencilRow(sweep);
    return;
  }
  static const char* const kNames[] = {"z", "y"};
  bool rows_apart = sweep.lanes == nullptr && sweep.accumulators.empty();
  auto row = [&](Operand i) {
    sweep.position.push_back(i);
    stencilAxis(sweep);
    sweep.position.pop_back();
  };
  const char* name = kNames[axis + 3 - sweep.extents.size()];
  if (rows_apart && sharesRows(sweep)) return stencilRows(sweep);
  if (rows_apart && sweep.split) {  // the vectors are in the row
    parallelLoop(name, kZero, sweep.extents[axis], row);
  } else {
    loop(name, kZero, sweep.extents[axis], rows_apart, row);
  }
}

// Do cells at the ends of a row have neighbours outside?
bool Lowering::hasEnds(const Sweep& sweep) {
  if (sweep.isEndless(sweep.extents.size() - 1)) return false;
  return std::any_of(
      sweep.node.windows.begin(), sweep.node.windows.end(), [](const core::Window& window) {
        return std::any_of(window.offsets.begin(), window.offsets.end(),
                           [](const std::vector<int64_t>& offset) { return offset.back() != 0; });
      });
}

bool Lowering::sharesRows(const Sweep& sweep) const {
  return sweep.split && sweep.position.empty() && whyRowsApart(core_, sweep.stm) == nullptr;
}

// kRows rows at once, then their ends one after the other; at last the rows that are left over.
void Lowering::stencilRows(Sweep& sweep) {
  Operand rows = sweep.extents[sweep.position.size()];
  Operand at_once = Operand::ofI64(kRows);
  Operand blocks = blocksOfRows(b_, sweep.outputs[0], sweep.extents);
  auto row = [&](Operand y, bool all) {
    sweep.position.push_back(y);
    stencilRow(sweep, all);
    sweep.position.pop_back();
  };
  parallelLoop("rows", kZero, blocks, [&](Operand block) {
    Operand first = b_.mul(block, at_once);
    sweep.position.push_back(first);
    stencilInterior(sweep, kRows);
    sweep.position.pop_back();
    Operand end = b_.add(first, at_once);
    if (hasEnds(sweep)) b_.forLoop("y", first, end, [&](Operand y) { row(y, false); });
  });
  parallelLoop("y", b_.mul(blocks, at_once), rows, [&](Operand y) { row(y, true); });
}

// The cells of `rows` rows from the current one that have all their neighbours.
void Lowering::stencilInterior(Sweep& sweep, int64_t rows) {
  sweep.rows.clear();
  sweep.coordinates.clear();
  for (sweep.shift = 0; sweep.shift < rows; sweep.shift++) stencilRowBases(sweep);
  Operand lo = sweep.columns ? sweep.columns->first : kZero;
  Operand hi = sweep.columns ? sweep.columns->second : sweep.extents.back();
  auto [from, to] = interiorOf(sweep, lo, hi);
  const auto next = nextRows(b_, sweep, rows, [&](ValueId id) { return array(id); });
  auto cells = [&](Operand x) {
    fetch(b_, next, x);
    for (sweep.shift = 0; sweep.shift < rows; sweep.shift++) {
      stencilCell(sweep, x, false, [](Results&) {});
    }
  };
  if (sweep.columns) {  // LLVM's own vectors would leave the ends of short rows to scalar loops
    int bytes = std::max(prim::byteSize(sweep.outputs[0].type), 4);
    b_.forLoop("x", lineStart(sweep, from), to, cells, Schedule::kVector, kRowBytes / bytes);
  } else {
    loop("x", from, to, true, cells);
  }
  sweep.shift = 0;
}

// From where to where no neighbour is outside of lo .. hi.
std::pair<Operand, Operand> Lowering::interiorOf(const Sweep& sweep, Operand lo, Operand hi) {
  if (sweep.isEndless(sweep.extents.size() - 1)) return {lo, hi};
  int64_t reach_left = 0, reach_right = 0;
  for (const core::Window& window : sweep.node.windows) {
    for (const std::vector<int64_t>& offset : window.offsets) {
      reach_left = std::max(reach_left, -cut(offset.back()));
      reach_right = std::max(reach_right, cut(offset.back()));
    }
  }
  Operand left = b_.min(b_.max(Operand::ofI64(reach_left), lo), hi);
  Operand inside = b_.sub(sweep.extents.back(), Operand::ofI64(reach_right));
  Operand right = b_.max(left, sweep.columns ? b_.min(inside, hi) : inside);
  return {left, right};
}

// Where the vectors of an interior from `left` on begin.
Operand Lowering::lineStart(const Sweep& sweep, Operand left) {
  if (!sweep.begins_lines) return left;
  Operand line = b_.prim(Op::kAnd, ScalarType::kI64, {left, Operand::ofI64(-kLineCells)});
  Operand exact = sweep.reads_exactly;
  int64_t before = 0;  // of the first row this would lie in front of an array from outside
  for (const core::Window& window : sweep.node.windows) {
    if (!sweep.rings.contains(window.array)) before = std::max(before, leftReach(window));
  }
  if (before > 0) {
    Operand is_outside = b_.prim(Op::kLt, ScalarType::kI64, {line, Operand::ofI64(before)});
    exact = b_.prim(Op::kOr, ScalarType::kBool, {exact, is_outside});
  }
  return b_.let("line", ScalarType::kI64, Select{exact, left, line});
}

void Lowering::stencilRowBases(Sweep& sweep) {
  size_t outer = sweep.position.size();
  for (size_t w = 0; w < sweep.node.windows.size(); w++) {
    const core::Window& window = sweep.node.windows[w];
    const ArrayRef& source = array(window.array);
    for (const std::vector<int64_t>& offset : window.offsets) {
      std::vector<int64_t> far = sweep.outerOffsets(offset);
      if (sweep.rows.contains({w, far})) continue;
      Operand base = source.offset;
      for (size_t axis = 0; axis < outer; axis++) {
        auto [found, is_new] =
            sweep.coordinates.try_emplace({axis, window.boundary[axis].kind, far[axis]});
        if (is_new) {
          found->second = staticNeighbour(sweep, axis, far[axis], window.boundary[axis]);
        }
        if (source.isVirtual()) continue;
        Operand row = found->second.index;
        if (axis == 0 && sweep.isInRing(window.array)) row = sweep.inRing(b_, window.array, row);
        base = b_.add(base, b_.mul(row, source.strides[axis]));
      }
      sweep.rows[{w, far}] = base;
    }
  }
}

// `interior`: not only its ends.
void Lowering::stencilRow(Sweep& sweep, bool interior) {
  sweep.rows.clear();
  sweep.coordinates.clear();
  stencilRowBases(sweep);
  Operand width = sweep.extents.back();
  Operand lo = sweep.columns ? sweep.columns->first : kZero;
  Operand hi = sweep.columns ? sweep.columns->second : width;
  auto sequential = [&](Results& values) {
    if (sweep.lanes != nullptr) sweep.lanes->sequential(values);
    size_t at = 0;
    for (size_t r = 0; r < sweep.accumulators.size(); r++) {
      combine(sweep.node.reductions[r].op, sweep.accumulators[r], values, at);
      at += sweep.accumulators[r].size();
    }
    release(values.owned);
  };
  if (!sweep.split) {
    auto cells = [&](Operand from, Operand to) {
      loop("x", from, to, sweep.accumulators.empty(),
           [&](Operand x) { stencilCell(sweep, x, true, sequential); });
    };
    if (sweep.interior.empty()) return cells(kZero, width);
    auto [left, right] = interiorOfRow(sweep);
    cells(kZero, left);
    sweep.inside = true;
    cells(left, right);
    sweep.inside = false;
    cells(right, width);
    return;
  }
  Operand left, right;
  std::tie(left, right) = interiorOf(sweep, lo, hi);
  if (!interior) {
    // done
  } else if (sweep.columns) {  // rows in the cache: their ends would cost as much as the rest
    int bytes = std::max(prim::byteSize(sweep.outputs[0].type), 4);
    b_.forLoop(
        "x", lineStart(sweep, left), right,
        [&](Operand x) { stencilCell(sweep, x, false, sequential); }, Schedule::kVector,
        kRowBytes / bytes);
  } else if (sweep.lanes == nullptr) {
    const auto next = nextRows(b_, sweep, 1, [&](ValueId id) { return array(id); });
    loop("x", left, right, true, [&](Operand x) {
      fetch(b_, next, x);
      stencilCell(sweep, x, false, sequential);
    });
  } else {
    Operand lanes = Operand::ofI64(kLanes);
    Operand blocks = b_.prim(Op::kMachineDiv, ScalarType::kI64, {b_.sub(right, left), lanes});
    b_.forLoop("block", kZero, blocks, [&](Operand block) {
      Operand base = b_.add(left, b_.mul(block, lanes));
      loop("lane", kZero, lanes, true, [&](Operand l) {
        stencilCell(sweep, b_.add(base, l), false,
                    [&](Results& values) { sweep.lanes->lane(l, values); });
      });
    });
    right = b_.add(left, b_.mul(blocks, lanes));  // what is left over is done with the border
  }
  if (!hasEnds(sweep) && sweep.lanes == nullptr) return;
  Operand before = b_.sub(left, lo);
  Operand cells = b_.add(before, b_.sub(hi, right));
  b_.forLoop("edge", kZero, cells, [&](Operand cell) {
    Operand is_left = b_.prim(Op::kLt, ScalarType::kI64, {cell, before});
    Operand behind = b_.add(b_.sub(cell, before), right);
    Operand first = b_.add(lo, cell);
    Operand x = b_.let("x", ScalarType::kI64, Select{is_left, first, behind});
    stencilCell(sweep, x, true, sequential);
  });
}

void Lowering::stencilCell(Sweep& sweep, Operand x, bool clamped,
                           const std::function<void(Results&)>& use) {
  bindWindows(sweep, x, clamped);
  size_t reduced = sweep.stm.results.size() - sweep.outputs.size();
  std::vector<ArrayRef> outputs = sweep.outputs;
  if (!sweep.output_rows.empty()) {
    const Operands& rows = sweep.output_rows[static_cast<size_t>(sweep.shift)];
    for (size_t k = 0; k < outputs.size(); k++) outputs[k].offset = rows[k];
  }
  Results results = cellBody(sweep.node.map.body, sweep.cell(b_, x), outputs, reduced);
  use(results);
}

void Lowering::bindWindows(Sweep& sweep, Operand x, bool clamped) {
  size_t outer = sweep.position.size();
  size_t param = 0;
  if (sweep.shift == 0) sweep.loaded.clear();
  const std::vector<ValueId>& params = sweep.node.map.params;
  std::map<std::pair<core::BoundaryKind, int64_t>, Neighbour> columns;
  for (size_t w = 0; w < sweep.node.windows.size(); w++) {
    const core::Window& window = sweep.node.windows[w];
    const ArrayRef& source = array(window.array);
    if (!window.dynamic.empty()) {
      bindDynamic(sweep, window, params[param++], x);
      continue;
    }
    for (const std::vector<int64_t>& offset : window.offsets) {
      core::BoundaryKind kind = window.boundary.back().kind;
      auto [column, is_new] = columns.try_emplace({kind, offset.back()});
      if (is_new) {
        Operand by = Operand::ofI64(offset.back());
        column->second = clamped && offset.back() != 0
                             ? neighbourAt(b_, window.boundary.back(), x, by, sweep.extents.back())
                             : Neighbour{b_.add(x, by), {}};
      }
      std::vector<int64_t> far = sweep.outerOffsets(offset);
      std::vector<Neighbour> at;
      for (size_t axis = 0; axis < outer; axis++) {
        at.push_back(sweep.coordinates.at({axis, window.boundary[axis].kind, far[axis]}));
      }
      at.push_back(column->second);
      Operand value;
      auto known = sweep.loaded.find({w, far, offset.back()});
      if (known != sweep.loaded.end()) {
        value = known->second;
      } else if (source.isVirtual()) {
        Operands indices;
        for (const Neighbour& neighbour : at) indices.push_back(neighbour.index);
        value = loadElement(b_, source, indices);
      } else {
        Operand in_row = b_.mul(column->second.index, source.strides[outer]);
        value = b_.load(source.buffer, b_.add(sweep.rows.at({w, far}), in_row));
      }
      if (!clamped) sweep.loaded[{w, far, offset.back()}] = value;
      env_.scalars[params[param++]] = orConstant(b_, env_, window.boundary, at, value);
    }
  }
  Operands cell = sweep.cell(b_, x);
  for (ValueId input : sweep.node.inputs) {
    Operands at = cell;
    if (sweep.isInRing(input)) at[0] = sweep.inRing(b_, input, at[0]);
    bindElement(b_, core_, env_, params[param++], array(input), at);
  }
}

// How far the offsets reach is found once for the whole stencil.
void Lowering::findInterior(Sweep& sweep) {
  for (size_t axis = 0; axis < sweep.extents.size(); axis++) {
    VarId least = b_.declare("least", ScalarType::kI64, kZero);
    VarId most = b_.declare("most", ScalarType::kI64, kZero);
    std::vector<ValueId> seen;
    for (const core::Window& window : sweep.node.windows) {
      if (window.dynamic.empty()) continue;
      ValueId offsets = window.dynamic[axis];
      if (std::find(seen.begin(), seen.end(), offsets) != seen.end()) continue;
      seen.push_back(offsets);
      const ArrayRef source = array(offsets);
      b_.forLoop("j", kZero, source.shape[0], [&](Operand j) {
        Operand offset = loadElement(b_, source, {j});
        b_.assign(least, b_.min(least, offset));
        b_.assign(most, b_.max(most, offset));
      });
    }
    Operand extent = sweep.extents[axis];
    Operand before = b_.sub(kZero, b_.max(least, Operand::ofI64(-kFarAway)));
    Operand behind = b_.min(most, Operand::ofI64(kFarAway));
    Operand from = b_.min(before, extent);
    sweep.interior.emplace_back(from, b_.max(from, b_.sub(extent, behind)));
  }
}

// Of the row at hand; empty at its end if rows above or below are outside.
std::pair<Operand, Operand> Lowering::interiorOfRow(const Sweep& sweep) {
  auto [left, right] = sweep.interior.back();
  for (size_t axis = 0; axis < sweep.position.size(); axis++) {
    Operand row = sweep.position[axis];
    auto [from, to] = sweep.interior[axis];
    Operand behind = b_.prim(Op::kLe, ScalarType::kI64, {from, row});
    Operand before = b_.prim(Op::kLt, ScalarType::kI64, {row, to});
    Operand inside = b_.prim(Op::kAnd, ScalarType::kBool, {behind, before});
    Operand width = sweep.extents.back();
    left = b_.let("left", ScalarType::kI64, Select{inside, left, width});
    right = b_.let("right", ScalarType::kI64, Select{inside, right, width});
  }
  return {left, right};
}

// The neighbourhood is never in memory: its j-th element is loaded where the lambda asks for it.
void Lowering::bindDynamic(Sweep& sweep, const core::Window& window, ValueId param, Operand x) {
  std::vector<ArrayRef> offsets;
  for (ValueId axis : window.dynamic) offsets.push_back(array(axis));
  Operands position = sweep.position;
  position.push_back(x);
  ArrayRef around;
  around.type = core_.type(param).scalar;
  around.shape = scalars(core_.type(param).shape);
  around.generate = [this, source = array(window.array), offsets, position, extents = sweep.extents,
                     boundary = window.boundary,
                     is_inside = sweep.inside](Builder& b, const Operands& indices) {
    std::vector<Neighbour> at;
    Operands inside;
    if (is_inside) {
      for (size_t axis = 0; axis < position.size(); axis++) {
        Operand offset = loadElement(b, offsets[axis], indices);
        inside.push_back(b.add(position[axis], offset));
      }
      return loadElement(b, source, inside);
    }
    for (size_t axis = 0; axis < position.size(); axis++) {
      Operand offset = loadElement(b, offsets[axis], indices);
      at.push_back(neighbourAt(b, boundary[axis], position[axis], offset, extents[axis]));
      inside.push_back(at.back().index);
    }
    return orConstant(b, env_, boundary, at, loadElement(b, source, inside));
  };
  env_.arrays[param] = std::move(around);
}

}  // namespace halo::imp
