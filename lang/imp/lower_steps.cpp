// A loop around one stencil on a line or plane larger than the cache: several steps while a part of
// it is in the cache (time blocking). Cells are computed by the same operations as step by step,
// some of them twice, so the results have the same bits. A line is a plane of one row.
//
// A tile of the result is swept from top to bottom by a pipeline of steps. Step t runs r rows
// behind step t - 1, r being how far the stencil reaches, and keeps its last rows in a ring. Each
// step does several rows before the next one has its turn, where rows share what they load.
// Towards the tile's edges each step covers r cells more than the one after it.
//
//   step 0 (the array itself)   row y + 2r  ....................
//   step 1                      row y + r      ..............
//   step 2                      row y             ........       -> the result
#include <algorithm>
#include <bit>

#include "lang/base/check.h"
#include "lang/core/rewrite.h"
#include "lang/imp/sweep.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

const Operand kZero = Operand::ofI64(0);
const Operand kOne = Operand::ofI64(1);
constexpr int64_t kSteps = 16;             // at once
constexpr int64_t kTileColumns = 1024;     // and kTileRows: the rings of all steps fit half of the
constexpr int64_t kTileRows = 512;         // second cache, the cells done twice are a few per cent
constexpr int64_t kLineTile = 4096;        // of one row
constexpr int64_t kReach = 2;              // farther stencils are bound by arithmetic
constexpr int64_t kCachedBytes = 3 << 20;  // arrays that stay in the cache gain nothing

struct Reach {
  int64_t rows = 0, columns = 0;
};

// Of the windows on the carried array.
Reach reachOf(const core::Stencil& node, ValueId carried) {
  Reach reach;
  for (const core::Window& window : node.windows) {
    if (window.array != carried) continue;
    for (const std::vector<int64_t>& offset : window.offsets) {
      if (offset.size() > 1) reach.rows = std::max(reach.rows, std::abs(offset[0]));
      reach.columns = std::max(reach.columns, std::abs(offset.back()));
    }
  }
  return reach;
}

bool isLocal(const core::Window& window, ValueId carried) {
  if (!window.dynamic.empty()) return false;
  if (window.array != carried) return true;
  return std::all_of(window.offsets.begin(), window.offsets.end(),
                     [&](const auto& offset) {
                       return std::all_of(offset.begin(), offset.end(),
                                          [](int64_t by) { return std::abs(by) <= kReach; });
                     }) &&
         std::none_of(window.boundary.begin(), window.boundary.end(),
                      [](const core::Boundary& b) { return b.kind == core::BoundaryKind::kWrap; });
}

}  // namespace

// What a blocked loop knows while it is lowered.
struct Lowering::Steps {
  const core::Stm& stm;
  const core::Stencil& node;
  ValueId carried;
  Operand rows, columns;  // of the array
  bool is_line;
  Operand count;  // of steps done at once, at most kSteps
  Reach reach;
  ScalarType type;
  int64_t ring_rows = 1, ring_columns = 1;
  // Of the tile at hand.
  BufferId ring;
  Operand top, bottom, left, right;
  Operand first_column;  // of the ring

  int64_t tileColumns() const { return is_line ? kLineTile : kTileColumns; }
  // Row `row` (in the ring) of a level and column 0 of the array.
  Operand levelOffset(Builder& b, Operand level) const {
    Operand at = b.mul(level, Operand::ofI64(ring_rows * ring_columns));
    return b.sub(at, first_column);
  }
};

// One carried array, one stencil that makes the next one.
const core::Stencil* blockedStencil(const core::Program& program, const core::Loop& node) {
  const auto* counted = std::get_if<core::ForLoop>(&node.form);
  if (counted == nullptr || node.carried.size() != 1 || node.body.stms.size() != 1) return nullptr;
  ValueId carried = node.carried[0].param;
  const core::Stm& stm = node.body.stms[0];
  const auto* stencil = std::get_if<core::Stencil>(&stm.expr);
  if (stencil == nullptr || !stencil->reductions.empty() || stm.results.size() != 1) return nullptr;
  if (node.body.results[0] != core::Operand(stm.results[0])) return nullptr;
  if (program.type(carried).shape != stencil->space || stencil->space.size() > 2) return nullptr;
  for (const core::Window& window : stencil->windows) {
    if (!isLocal(window, carried)) return nullptr;
  }
  Reach reach = reachOf(*stencil, carried);
  if (reach.rows == 0 && reach.columns == 0) return nullptr;
  for (ValueId input : stencil->inputs) {
    if (input == carried) return nullptr;
  }
  std::unordered_set<ValueId> used = core::freeValues(program, stencil->map);
  if (used.contains(carried) || used.contains(counted->index)) return nullptr;
  bool same_type = program.type(stm.results[0]).scalar == program.type(carried).scalar;
  return isSimple(program, stencil->map.body) && same_type ? stencil : nullptr;
}

bool Lowering::canBlockSteps(const core::Loop& node) const {
  if (!place_.vectorise || !place_.can_rebind || in_lanes_ || independent_ > 0) return false;
  const core::Stencil* stencil = blockedStencil(core_, node);
  if (stencil == nullptr) return false;
  return std::all_of(stencil->space.begin(), stencil->space.end(),
                     [&](const core::Operand& extent) {
                       return extent.isConstant() || env_.scalars.contains(extent.value);
                     });
}

// `to` becomes what the group's steps make of `from`.
void Lowering::blockedSteps(Steps& steps, const ArrayRef& from, const ArrayRef& to) {
  Operand width = Operand::ofI64(steps.tileColumns()), height = Operand::ofI64(kTileRows);
  auto tilesOf = [&](Operand extent, Operand size) {
    Operand rounded = b_.add(extent, b_.sub(size, kOne));
    return b_.prim(Op::kMachineDiv, ScalarType::kI64, {rounded, size});
  };
  Operand across = tilesOf(steps.columns, width);
  Operand down = tilesOf(steps.rows, height);
  parallelLoop("tile", kZero, b_.mul(across, down), [&](Operand tile) {
    Operand y = b_.prim(Op::kMachineDiv, ScalarType::kI64, {tile, across});
    Operand x = b_.sub(tile, b_.mul(y, across));
    steps.top = b_.mul(y, height);
    steps.bottom = b_.min(b_.add(steps.top, height), steps.rows);
    steps.left = b_.mul(x, width);
    steps.right = b_.min(b_.add(steps.left, width), steps.columns);
    steps.first_column = b_.sub(steps.left, Operand::ofI64(kSteps * steps.reach.columns));
    stepTile(steps, from, to);
  });
}

void Lowering::stepTile(Steps& steps, const ArrayRef& from, const ArrayRef& to) {
  Operand elements = Operand::ofI64((kSteps + 1) * steps.ring_rows * steps.ring_columns);
  steps.ring = b_.alloc("ring", steps.type, Space::kHost, elements);
  Operand reach = Operand::ofI64(steps.reach.rows);
  Operand halo = b_.mul(steps.count, reach);
  Operand first = b_.max(kZero, b_.sub(steps.top, halo));
  Operand last = b_.add(steps.bottom, halo);
  bool together = sharesRows(sweepOf(steps));
  Operand rows = Operand::ofI64(together ? kRows : 1);
  Operand rounded = b_.add(b_.sub(last, first), b_.sub(rows, kOne));
  Operand blocks = b_.prim(Op::kMachineDiv, ScalarType::kI64, {rounded, rows});
  b_.forLoop("front", kZero, blocks, [&](Operand block) {
    Operand front = b_.add(first, b_.mul(block, rows));
    b_.forLoop("level", kZero, b_.add(steps.count, kOne), [&](Operand level) {
      Operand row = b_.sub(front, b_.mul(level, reach));
      stepBlock(steps, from, to, level, row, together ? kRows : 1);
    });
  });
  b_.append(Free{steps.ring});
}

// What of `count` rows is inside of this level's part, at once if that is all of them.
void Lowering::stepBlock(Steps& steps, const ArrayRef& from, const ArrayRef& to, Operand level,
                         Operand row, int64_t count) {
  Operand more = b_.mul(b_.sub(steps.count, level), Operand::ofI64(steps.reach.rows));
  Operand lo = b_.max(kZero, b_.sub(steps.top, more));
  Operand hi = b_.min(steps.rows, b_.add(steps.bottom, more));
  Operand begin = b_.max(lo, row);
  Operand end = b_.min(hi, b_.add(row, Operand::ofI64(count)));
  auto oneByOne = [&] {
    b_.forLoop("y", begin, end, [&](Operand y) { stepRows(steps, from, to, level, y, 1); });
  };
  if (count == 1) return oneByOne();
  Operand inside = b_.sub(end, begin);
  Operand all = b_.prim(Op::kEq, ScalarType::kI64, {inside, Operand::ofI64(count)});
  b_.ifThenElse(
      all, [&] { stepRows(steps, from, to, level, row, count); }, oneByOne);
}

Lowering::Sweep Lowering::sweepOf(const Steps& steps) const {
  Sweep sweep{steps.stm, steps.node, {steps.columns}};
  if (!steps.is_line) sweep.extents.insert(sweep.extents.begin(), steps.rows);
  sweep.ring = steps.carried;
  sweep.ring_rows = steps.ring_rows;
  sweep.ring_stride = Operand::ofI64(steps.ring_columns);
  sweep.split = true;
  return sweep;
}

// Rows of one level that are done together.
struct Lowering::LevelRows {
  Sweep sweep;
  Operands rows;  // of the array
  Operands own;   // where they are in the ring
  Operand lo, width;

  Operands inArray(Builder& b, const ArrayRef& array) const {
    Operands offsets;
    for (Operand y : rows) {
      Operand before = array.rank() == 1 ? kZero : b.mul(y, array.strides[0]);
      offsets.push_back(b.add(array.offset, before));
    }
    return offsets;
  }
  void copy(Builder& b, BufferId to, const Operands& targets, BufferId from,
            const Operands& sources) const {
    for (size_t k = 0; k < targets.size(); k++) {
      Operand target = b.add(targets[k], lo);
      Operand source = b.add(sources[k], lo);
      b.append(CopyBuffer{to, target, from, source, width});
    }
  }
};

Lowering::LevelRows Lowering::levelRows(const Steps& steps, Operand level, Operand row,
                                        int64_t count) {
  Operand more = b_.mul(b_.sub(steps.count, level), Operand::ofI64(steps.reach.columns));
  Operand lo = b_.max(kZero, b_.sub(steps.left, more));
  Operand hi = b_.min(steps.columns, b_.add(steps.right, more));
  LevelRows level_rows{sweepOf(steps), {}, {}, lo, b_.sub(hi, lo)};
  level_rows.sweep.columns = {lo, hi};
  if (!steps.is_line) level_rows.sweep.position = {row};
  Operand offset = steps.levelOffset(b_, level);
  for (int64_t k = 0; k < count; k++) {
    Operand at = b_.add(row, Operand::ofI64(k));
    Operand in_ring = b_.mul(level_rows.sweep.inRing(b_, at), level_rows.sweep.ring_stride);
    level_rows.rows.push_back(at);
    level_rows.own.push_back(b_.add(offset, in_ring));
  }
  return level_rows;
}

// `count` rows from `row` on of one level. Level 0 comes from the array, the last one goes to the
// result.
void Lowering::stepRows(Steps& steps, const ArrayRef& from, const ArrayRef& to, Operand level,
                        Operand row, int64_t count) {
  LevelRows rows = levelRows(steps, level, row, count);
  auto step = [&] {
    ArrayRef source = from;
    source.buffer = steps.ring;
    source.offset = steps.levelOffset(b_, b_.sub(level, kOne));
    source.strides = {kOne};
    if (!steps.is_line) source.strides.insert(source.strides.begin(), rows.sweep.ring_stride);
    env_.arrays[steps.carried] = source;
    ArrayRef target = source;
    target.offset = rows.own[0];
    if (!steps.is_line) target.strides[0] = kZero;
    rows.sweep.outputs = {target};
    stepCells(rows.sweep, rows.own);
    Operand is_last = b_.prim(Op::kEq, ScalarType::kI64, {level, steps.count});
    b_.ifThenElse(is_last,
                  [&] { rows.copy(b_, to.buffer, rows.inArray(b_, to), steps.ring, rows.own); });
  };
  Operand is_first = b_.prim(Op::kEq, ScalarType::kI64, {level, kZero});
  b_.ifThenElse(
      is_first, [&] { rows.copy(b_, steps.ring, rows.own, from.buffer, rows.inArray(b_, from)); },
      step);
}

// One row, or the interior of several and then their ends.
void Lowering::stepCells(Sweep& sweep, const Operands& own) {
  if (own.size() == 1) return stencilRow(sweep);
  sweep.output_rows = own;
  stencilInterior(sweep, static_cast<int64_t>(own.size()));
  sweep.output_rows.clear();
  if (!hasEnds(sweep)) return;
  Operand first = sweep.position[0];
  Operand end = b_.add(first, Operand::ofI64(static_cast<int64_t>(own.size())));
  Operand level_row = b_.sub(own[0], b_.mul(sweep.inRing(b_, first), sweep.ring_stride));
  b_.forLoop("y", first, end, [&](Operand y) {
    sweep.position = {y};
    sweep.outputs[0].offset = b_.add(level_row, b_.mul(sweep.inRing(b_, y), sweep.ring_stride));
    stencilRow(sweep, false);
  });
}

// The loop runs over groups of steps; of one step each if the array is small.
void Lowering::lowerStepGroups(const core::Loop& node, const ArrayRef& from, const ArrayRef& to,
                               Operand group_size, Operand first_step) {
  const core::Stm& stm = node.body.stms[0];
  const auto& stencil = std::get<core::Stencil>(stm.expr);
  ValueId carried = node.carried[0].param;
  Operand rest = b_.sub(scalar(std::get<core::ForLoop>(node.form).bound), first_step);
  Steps steps{stm,
              stencil,
              carried,
              from.rank() == 1 ? kOne : from.shape[0],
              from.shape.back(),
              from.rank() == 1,
              b_.min(group_size, rest),
              reachOf(stencil, carried),
              core_.type(carried).scalar};
  // The rows that are read, the newest of which are the ones made last.
  int64_t at_once = sharesRows(sweepOf(steps)) ? kRows : 1;
  steps.ring_rows =
      static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * steps.reach.rows + at_once)));
  steps.ring_columns = steps.tileColumns() + 2 * kSteps * steps.reach.columns;
  Operand many = b_.prim(Op::kLt, ScalarType::kI64, {kOne, steps.count});
  b_.ifThenElse(
      many,
      [&] {
        ArrayRef saved = env_.arrays.at(carried);
        blockedSteps(steps, from, to);
        env_.arrays[carried] = saved;
      },
      [&] { body(node.body, {to}); });
}

// How many steps a group has: one, or kSteps for arrays larger than the cache.
Operand Lowering::stepGroupSize(const ArrayRef& array) {
  Operand cells = kOne;
  for (const Operand& extent : array.shape) cells = b_.mul(cells, extent);
  Operand most = Operand::ofI64(kCachedBytes / prim::byteSize(array.type));
  Operand large = b_.prim(Op::kLt, ScalarType::kI64, {most, cells});
  return b_.let("group", ScalarType::kI64, Select{large, Operand::ofI64(kSteps), kOne});
}

}  // namespace halo::imp
