// A loop around a stencil on arrays larger than the cache. A part of them does several steps while
// it is in the cache (time blocking; steps.h says which loops). Cells are computed by the same
// operations as step by step, some of them twice, so the results have the same bits.
//
// A tile of the result is swept along the first axis by a pipeline of steps. Step t runs r rows
// (planes in space) behind step t - 1, r being the reach of the stencil. It keeps its last rows in
// a ring. The first step reads the arrays, the last one writes the results. In a plane each step
// does several rows before the next one goes on, and those rows share loads. Towards the tile's
// edges each step covers r cells more than the one after it.
//
//   step 0 (the arrays)   row y + 2r  ....................
//   step 1                row y + r      ..............
//   step 2                row y             ........       -> the results
//
// Where an axis wraps around there is a step 0, which copies its part of the arrays into the rings,
// going on beyond the ends. Behind it no cell is at an edge.
//
// A step of several stencils is as many levels of the pipeline, each r rows behind the one before.
// Results for later stencils only live in rings. A carried result of an earlier stencil is copied
// out of them, for the last one alone makes no more than the tile.
#include <algorithm>

#include "lang/base/check.h"
#include "lang/core/rewrite.h"
#include "lang/imp/lower/lower_loop.h"
#include "lang/imp/schedule/blocked_steps.h"
#include "lang/imp/schedule/stencil/sweep.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

Operand rounded(Builder& b, Operand extent, int64_t size) {
  Operand more = b.add(extent, Operand::ofI64(size - 1));
  return b.prim(Op::kMachineDiv, ScalarType::kI64, {more, Operand::ofI64(size)});
}

// Tiles compute cells beyond the ends of axes that wrap around, from the beginning of a line of the
// cache on. Their position is found by one extent (lower_stencil_cells.cpp), so none may lie
// farther away: arrays may be read there.
Operands positionsFit(Builder& b, const StepPlan& plan, const Operands& extents) {
  Operands conditions;
  for (size_t k = 0; k < plan.rank(); ++k) {
    if (!plan.endless[plan.axis(k)] || !plan.wantsPosition(k)) continue;
    const Operand farthest = Operand::ofI64(plan.haloOf(plan.axis(k)) + kLineCells);
    conditions.push_back(b.prim(Op::kLe, ScalarType::kI64, {farthest, extents[k]}));
  }
  return conditions;
}

}  // namespace

bool LoopLowering::mayBlockSteps() const {
  return target_.vectorise && target_.can_rebind && !low_.in_lanes_ && low_.independent_ == 0;
}

// A group also makes the arrays that it exchanges, while its inputs are still there.
void LoopLowering::addStepBuffers() {
  if (!mayBlockSteps()) return;
  StepChoice choice = planSteps(core_, node_, low_.tiny_steps_);
  const auto* steps = std::get_if<StepPlan>(&choice);
  if (steps == nullptr || !steps->handsOver()) return;
  for (const CarriedArray& carried : plan_) {
    if (carried.from >= 0) plan_[static_cast<size_t>(carried.from)].lifetime++;
  }
}

bool LoopLowering::canBlockSteps() const {
  if (!mayBlockSteps()) return false;
  for (const CarriedArray& carried : plan_) {
    if (carried.mode != CarriedArray::Mode::kRotate) return false;
    if (carried.from < 0 && carried.ring.size() < 2) return false;
  }
  StepChoice choice = planSteps(core_, node_, low_.tiny_steps_);
  const auto* steps = std::get_if<StepPlan>(&choice);
  if (steps == nullptr) return false;
  const core::Operands& space = steps->iterated.space;
  return std::all_of(space.begin(), space.end(), [&](const core::Operand& extent) {
    return extent.isConstant() || env_.scalars.contains(extent.value);
  });
}

// The loop runs over groups of steps; of one step each if the arrays are small.
void LoopLowering::lowerStepGroups() {
  const auto step_plan = std::get<StepPlan>(planSteps(core_, node_, low_.tiny_steps_));
  Operand cells = kOne;
  for (const Operand& extent : plan_[0].current.shape) cells = b_.mul(cells, extent);
  Operand most =
      low_.tiny_steps_ ? kZero : Operand::ofI64(step_plan.cachedBytes() / step_plan.bytes);
  Operand large = b_.prim(Op::kLt, ScalarType::kI64, {most, cells});
  for (const Operand& fits : positionsFit(b_, step_plan, plan_[0].current.shape)) {
    large = b_.prim(Op::kAnd, ScalarType::kBool, {large, fits});
  }
  Operand at_once = Operand::ofI64(step_plan.steps);
  Operand size = b_.let("group", ScalarType::kI64, Select{large, at_once, kOne});
  Operand bound = low_.scalar(std::get<core::ForLoop>(node_.form).bound);
  Operand more = b_.add(bound, b_.sub(size, kOne));
  Operand groups = b_.prim(Op::kMachineDiv, ScalarType::kI64, {more, size});
  b_.forLoop("group", kZero, groups, [&](Operand group) {
    Lowering::Steps steps = startSteps(step_plan);
    steps.first = b_.mul(group, size);
    steps.count = b_.min(size, b_.sub(bound, steps.first));
    Operand many = b_.prim(Op::kLt, ScalarType::kI64, {kOne, steps.count});
    auto saved = env_.arrays;
    b_.ifThenElse(
        many,
        [&] {
          steps.lowerGroup();
          env_.arrays = saved;
          advanceGroup();
        },
        [&] {
          low_.set(step_plan.iterated.form.index, steps.first);
          Results results = low_.body(node_.body, carriedDestinations());
          advance(results);
        });
  });
}

// The outputs of a group: the first buffer of a ring, and the second one with that array a step
// before.
Lowering::Steps LoopLowering::startSteps(const StepPlan& step_plan) {
  Lowering::Steps steps(low_, step_plan);
  for (size_t k = 0; k < step_plan.rank(); ++k) {
    steps.extents[step_plan.axis(k)] = plan_[0].current.shape[k];
  }
  for (size_t k = 0; k < plan_.size(); ++k) {
    Lowering::Steps::Field& field = steps.fields.emplace_back();
    const StepPlan::Carried& carried = step_plan.carried[k];
    field.param = step_plan.iterated.loop->carried[k].param;
    field.stage = carried.stage;
    field.result = carried.result;
    field.over = carried.from;
    field.from = field.to = plan_[k].current;
    field.to.buffer =
        plan_[k].from < 0 ? plan_[k].ring[0] : plan_[static_cast<size_t>(plan_[k].from)].ring[1];
  }
  for (size_t s = 0; s < step_plan.stages(); ++s) {
    if (steps.sweepOf(s).sharesRows()) steps.rows_at_once = kRows;
    const std::vector<ValueId>& made = step_plan.stm(s).results;
    for (size_t r = 0; r < made.size(); ++r) {
      if (steps.isCarried(s, r)) continue;
      ArrayRef shape;
      shape.shape = plan_[0].current.shape;
      shape.type = core_.type(made[r]).scalar;
      steps.between.push_back({s, r, shape, {}});
    }
  }
  steps.sizeRings();
  return steps;
}

// Like `advance` behind a group of at least two steps, which also makes the exchanged arrays.
void LoopLowering::advanceGroup() {
  for (const CarriedArray& carried : plan_) {
    if (carried.from >= 0) {
      b_.append(Rebind{carried.current.buffer, plan_[static_cast<size_t>(carried.from)].ring[1]});
    }
  }
  for (const CarriedArray& carried : plan_) {
    if (carried.from >= 0) continue;
    const bool gives = std::any_of(plan_.begin(), plan_.end(), [&](const CarriedArray& taker) {
      return taker.from == static_cast<int>(carried.position);
    });
    b_.append(Rebind{carried.current.buffer, carried.ring[0]});
    const size_t by = gives ? 2 : 1;
    for (size_t i = 0; i + by < carried.ring.size(); ++i) {
      b_.append(Swap{carried.ring[i], carried.ring[i + by]});
    }
  }
}

void Lowering::Steps::lowerGroup() {
  std::array<Operand, 3> counts;
  for (size_t a = 0; a < 3; ++a) counts[a] = rounded(b_, extents[a], plan.tile[a]);
  Operand across = b_.mul(counts[1], counts[2]);
  low_.parallelLoop("tile", kZero, b_.mul(counts[0], across), [&](Operand tile) {
    std::array<Operand, 3> at;
    at[0] = b_.prim(Op::kMachineDiv, ScalarType::kI64, {tile, across});
    Operand rest = b_.sub(tile, b_.mul(at[0], across));
    at[1] = b_.prim(Op::kMachineDiv, ScalarType::kI64, {rest, counts[2]});
    at[2] = b_.sub(rest, b_.mul(at[1], counts[2]));
    for (size_t a = 0; a < 3; ++a) {
      begin[a] = b_.mul(at[a], Operand::ofI64(plan.tile[a]));
      Operand behind = b_.add(begin[a], Operand::ofI64(plan.tile[a]));
      end[a] = b_.min(behind, extents[a]);
    }
    lowerTile();
  });
}

void Lowering::Steps::lowerTile() {
  Operand elements = Operand::ofI64(ringSteps() * ring_rows * ring_row);
  for (Field& field : fields) {
    if (!field.over) field.ring = b_.alloc("ring", field.from.type, Space::kHost, elements);
    for (BufferId* side : {&field.source, &field.target}) {
      *side = b_.buffer("level", field.from.type, Space::kHost);
      b_.program().buffers[*side].noalias = true;  // a level never writes its inputs
    }
  }
  for (Between& made : between) {
    made.ring = b_.alloc("between", made.shape.type, Space::kHost, elements);
  }
  Operand first_level = Operand::ofI64(firstLevel());
  Operand levels = b_.mul(count, Operand::ofI64(stages()));
  Operand reach = Operand::ofI64(plan.reach[0]);
  Operand first = partOf(0, first_level).first;
  Operand last = b_.add(end[0], b_.mul(b_.sub(levels, first_level), reach));
  Operand blocks = rounded(b_, b_.sub(last, first), rows_at_once);
  b_.forLoop("front", kZero, blocks, [&](Operand block) {
    Operand front = b_.add(first, b_.mul(block, Operand::ofI64(rows_at_once)));
    if (firstLevel() == 0) fillRows(front);
    b_.forLoop("step", kOne, b_.add(count, kOne), [&](Operand number) {
      enterStep(number);
      Operand before = b_.mul(b_.sub(step, kOne), Operand::ofI64(stages()));
      for (stage = 0; stage < plan.stages(); ++stage) {
        level = b_.add(before, Operand::ofI64(static_cast<int64_t>(stage) + 1));
        lowerBlock(b_.sub(front, b_.mul(b_.sub(level, first_level), reach)));
      }
    });
  });
  for (const Field& field : fields) {
    if (!field.over) b_.append(Free{field.ring});
  }
  for (const Between& made : between) b_.append(Free{made.ring});
}

// The loop's index, and the scalars that a step computes.
void Lowering::Steps::enterStep(Operand number) {
  step = number;
  low_.set(plan.iterated.form.index, b_.sub(b_.add(first, number), kOne));
  low_.body(plan.iterated.scalars);
}

// From where to where a level covers an axis.
std::pair<Operand, Operand> Lowering::Steps::partOf(size_t axis, Operand of_level) const {
  Operand levels = b_.mul(count, Operand::ofI64(stages()));
  Operand more = b_.mul(b_.sub(levels, of_level), Operand::ofI64(plan.reach[axis]));
  Operand from = b_.sub(begin[axis], more);
  Operand to = b_.add(end[axis], more);
  if (plan.endless[axis]) return {from, to};
  return {b_.max(kZero, from), b_.min(extents[axis], to)};
}

// The rows of this iteration inside of this level's part, at once if all of them are, and then they
// share neighbours.
void Lowering::Steps::lowerBlock(Operand row) {
  auto [lo, hi] = partOf(0, level);
  const int64_t rows = rows_at_once;
  Operand from = b_.max(lo, row);
  Operand to = b_.min(hi, b_.add(row, Operand::ofI64(rows)));
  openLevel();
  auto oneByOne = [&] { b_.forLoop("y", from, to, [&](Operand y) { lowerRows(y, 1); }); };
  if (rows == 1 || !sweepOf(stage).sharesRows()) return oneByOne();
  Operand inside = b_.sub(to, from);
  Operand all = b_.prim(Op::kEq, ScalarType::kI64, {inside, Operand::ofI64(rows)});
  b_.ifThenElse(
      all, [&] { lowerRows(row, rows); }, oneByOne);
}

}  // namespace halo::imp
