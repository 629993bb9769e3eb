// A loop around a stencil on arrays larger than the cache: several steps while a part of them is in
// the cache (time blocking; steps.h says which loops). Cells are computed by the same operations as
// step by step, some of them twice, so the results have the same bits.
//
// A tile of the result is swept along the first axis by a pipeline of steps. Step t runs r rows
// (planes in space) behind step t - 1, r being how far the stencil reaches, and keeps its last rows
// in a ring; the first step reads the arrays, the last one writes the results. In a plane each step
// does several rows before the next one has its turn, where rows share what they load. Towards the
// tile's edges each step covers r cells more than the one after it.
//
//   step 0 (the arrays)   row y + 2r  ....................
//   step 1                row y + r      ..............
//   step 2                row y             ........       -> the results
//
// Where an axis wraps around there is a step 0, which copies the part that it is about into the
// rings, going on beyond the ends: behind it no cell is at an edge.
//
// A step of several stencils is as many levels of the pipeline, each r rows behind the one before.
// What is made for later stencils only lives in rings; what is carried as well, but not made by the
// last stencil, which alone makes no more than the tile, is copied out of them.
#include "lang/imp/steps.h"

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

int64_t roundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

Operand rounded(Builder& b, Operand extent, int64_t size) {
  Operand more = b.add(extent, Operand::ofI64(size - 1));
  return b.prim(Op::kMachineDiv, ScalarType::kI64, {more, Operand::ofI64(size)});
}

Operand either(Builder& b, Operand condition, Operand yes, Operand no) {
  return yes == no ? yes : b.let("at", ScalarType::kI64, Select{condition, yes, no});
}

// Within 0 .. extent - 1.
Operand wrapped(Builder& b, Operand position, Operand extent) {
  Operand rest = b.prim(Op::kMachineRem, ScalarType::kI64, {position, extent});
  Operand negative = b.prim(Op::kLt, ScalarType::kI64, {rest, kZero});
  return b.let("wrapped", ScalarType::kI64, Select{negative, b.add(rest, extent), rest});
}

}  // namespace

// What a blocked loop knows while it is lowered.
struct Lowering::Steps {
  // A carried array: at the beginning and the end of the group, and between.
  struct Field {
    ValueId param;
    size_t stage, result;        // of this stencil, that is its next value
    std::optional<size_t> over;  // or: that this field has been before
    ArrayRef from, to;
    BufferId ring;
    BufferId source, target;  // of the level at hand
  };
  // What a stencil makes for later ones of the same step.
  struct Between {
    size_t stage, result;
    ArrayRef shape;
    BufferId ring;
  };
  const StepPlan& plan;
  std::array<Operand, 3> extents;
  Operand count;  // of steps done at once, at most plan.steps
  int64_t rows_at_once = 1;
  int64_t ring_rows = 1, ring_line = 1, ring_row = 1;  // elements of a line, of a row (or plane)
  std::vector<Field> fields = {};
  std::vector<Between> between = {};
  // Of the tile at hand.
  std::array<Operand, 3> begin = {}, end = {};
  // Of the level at hand.
  Operand step = {}, level = {};
  size_t stage = 0;
  Operand reads_array = Scalar::ofBool(false);  // and no ring
  Operand source_mask = Operand::ofI64(-1);
  Operand early_mask = Operand::ofI64(-1);  // of arrays that are handed over
  Operand is_last = {};
  std::vector<ArrayRef> targets = {};  // by result of the stencil
  Operands target_masks = {};

  int64_t stages() const { return static_cast<int64_t>(plan.stages()); }
  int64_t firstLevel() const { return plan.wraps() ? 0 : 1; }
  int64_t haloOf(size_t axis) const { return plan.steps * stages() * plan.reach[axis]; }
  Operand ringMask() const { return Operand::ofI64(ring_rows - 1); }
  bool isLastStage() const { return stage + 1 == plan.stages(); }
  // Of a ring: the last step needs one only for later stencils.
  int64_t ringSteps() const { return plan.steps + (plan.stages() > 1 ? 1 : 0); }
  // Rows of the ring begin at lines of the cache, and more is read than was asked for.
  int64_t columnsBefore() const { return roundUp(haloOf(2) + plan.reach[2], kLineCells); }
  // An array as if all of its rows were in the ring of this step.
  ArrayRef inRing(Builder& b, ArrayRef array, BufferId ring, Operand of_step) const {
    array.buffer = ring;
    array.dense = false;
    array.offset = b.mul(of_step, Operand::ofI64(ring_rows * ring_row));
    if (plan.rank() == 3) {
      Operand lines = b.sub(begin[1], Operand::ofI64(haloOf(1)));
      array.offset = b.sub(array.offset, b.mul(lines, Operand::ofI64(ring_line)));
    }
    Operand columns = b.sub(begin[2], Operand::ofI64(columnsBefore()));
    array.offset = b.sub(array.offset, columns);
    array.strides = {kOne};
    if (plan.rank() == 3) array.strides.insert(array.strides.begin(), Operand::ofI64(ring_line));
    if (plan.rank() > 1) array.strides.insert(array.strides.begin(), Operand::ofI64(ring_row));
    return array;
  }
  ArrayRef inRing(Builder& b, const Field& field, Operand of_step) const {
    return inRing(b, field.from, field.ring, of_step);
  }
  // By how many levels at most a stencil is behind one that made what it reads.
  int64_t mostBehind() const;
};

int64_t Lowering::Steps::mostBehind() const {
  int64_t most = plan.handsOver() ? 2 : 1;
  for (size_t s = 0; s < plan.stages(); s++) {
    const core::Stencil& node = plan.stencil(s);
    auto reads = [&](ValueId array) {
      return std::count(node.inputs.begin(), node.inputs.end(), array) > 0 ||
             std::any_of(node.windows.begin(), node.windows.end(),
                         [&](const core::Window& window) { return window.array == array; });
    };
    const auto reader = static_cast<int64_t>(s);
    for (const Field& field : fields) {
      const auto maker = static_cast<int64_t>(field.stage);
      if (!field.over && reads(field.param)) most = std::max(most, stages() + reader - maker);
    }
    for (size_t maker = 0; maker < s; maker++) {
      const std::vector<ValueId>& made = plan.stm(maker).results;
      if (std::any_of(made.begin(), made.end(), reads)) {
        most = std::max(most, reader - static_cast<int64_t>(maker));
      }
    }
  }
  return most;
}

bool Lowering::mayBlockSteps() const {
  return place_.vectorise && place_.can_rebind && !in_lanes_ && independent_ == 0;
}

// A group makes also what it hands over, while the arrays that it reads are still there.
void Lowering::addStepBuffers(const core::Loop& node, std::vector<CarriedArray>& plan) const {
  if (!mayBlockSteps()) return;
  StepChoice choice = planSteps(core_, node, tiny_steps_);
  const auto* steps = std::get_if<StepPlan>(&choice);
  if (steps == nullptr || !steps->handsOver()) return;
  for (const CarriedArray& carried : plan) {
    if (carried.from >= 0) plan[static_cast<size_t>(carried.from)].lifetime++;
  }
}

bool Lowering::canBlockSteps(const core::Loop& node, const std::vector<CarriedArray>& plan) const {
  if (!mayBlockSteps()) return false;
  for (const CarriedArray& carried : plan) {
    if (carried.mode != CarriedArray::Mode::kRotate) return false;
    if (carried.from < 0 && carried.ring.size() < 2) return false;
  }
  StepChoice choice = planSteps(core_, node, tiny_steps_);
  const auto* steps = std::get_if<StepPlan>(&choice);
  if (steps == nullptr) return false;
  const core::Operands& space = steps->iterated.space;
  return std::all_of(space.begin(), space.end(), [&](const core::Operand& extent) {
    return extent.isConstant() || env_.scalars.contains(extent.value);
  });
}

// The loop runs over groups of steps; of one step each if the arrays are small.
void Lowering::lowerStepGroups(const core::Loop& node, std::vector<CarriedArray>& plan) {
  const auto step_plan = std::get<StepPlan>(planSteps(core_, node, tiny_steps_));
  Operand cells = kOne;
  for (const Operand& extent : plan[0].current.shape) cells = b_.mul(cells, extent);
  Operand most = tiny_steps_ ? kZero : Operand::ofI64(step_plan.cachedBytes() / step_plan.bytes);
  Operand large = b_.prim(Op::kLt, ScalarType::kI64, {most, cells});
  Operand at_once = Operand::ofI64(step_plan.steps);
  Operand size = b_.let("group", ScalarType::kI64, Select{large, at_once, kOne});
  Operand bound = scalar(std::get<core::ForLoop>(node.form).bound);
  Operand more = b_.add(bound, b_.sub(size, kOne));
  Operand groups = b_.prim(Op::kMachineDiv, ScalarType::kI64, {more, size});
  b_.forLoop("group", kZero, groups, [&](Operand group) {
    Steps steps = startSteps(step_plan, plan);
    steps.count = b_.min(size, b_.sub(bound, b_.mul(group, size)));
    Operand many = b_.prim(Op::kLt, ScalarType::kI64, {kOne, steps.count});
    auto saved = env_.arrays;
    b_.ifThenElse(
        many,
        [&] {
          blockedSteps(steps);
          env_.arrays = saved;
          advanceGroup(plan);
        },
        [&] {
          Results results = body(node.body, carriedDestinations(node, plan));
          advance(plan, results);
        });
  });
}

// Where a group writes: the first buffer of a ring, and the second one what that array was a step
// before.
Lowering::Steps Lowering::startSteps(const StepPlan& step_plan,
                                     const std::vector<CarriedArray>& plan) const {
  Steps steps{step_plan, {kOne, kOne, kOne}, kOne};
  for (size_t k = 0; k < step_plan.rank(); k++) {
    steps.extents[step_plan.axis(k)] = plan[0].current.shape[k];
  }
  for (size_t k = 0; k < plan.size(); k++) {
    ArrayRef to = plan[k].current;
    to.buffer =
        plan[k].from < 0 ? plan[k].ring[0] : plan[static_cast<size_t>(plan[k].from)].ring[1];
    const StepPlan::Carried& carried = step_plan.carried[k];
    steps.fields.push_back({step_plan.iterated.loop->carried[k].param,
                            carried.stage,
                            carried.result,
                            carried.from,
                            plan[k].current,
                            to,
                            {},
                            {},
                            {}});
  }
  for (size_t s = 0; s < step_plan.stages(); s++) {
    if (sharesRows(sweepOf(steps, s))) steps.rows_at_once = kRows;
    const std::vector<ValueId>& made = step_plan.stm(s).results;
    for (size_t r = 0; r < made.size(); r++) {
      const bool is_carried = std::any_of(
          steps.fields.begin(), steps.fields.end(),
          [&](const Steps::Field& f) { return !f.over && f.stage == s && f.result == r; });
      if (is_carried) continue;
      ArrayRef shape;
      shape.shape = plan[0].current.shape;
      shape.type = core_.type(made[r]).scalar;
      steps.between.push_back({s, r, shape, {}});
    }
  }
  // The rows that are read, the newest of which are the ones made last.
  const int64_t rows = (steps.mostBehind() + 1) * step_plan.reach[0] + steps.rows_at_once;
  steps.ring_rows = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(rows)));
  steps.ring_line = roundUp(step_plan.tile[2] + 2 * steps.columnsBefore(), kLineCells);
  steps.ring_row = steps.ring_line * (step_plan.tile[1] + 2 * steps.haloOf(1));
  return steps;
}

// Like `advance` behind a group of at least two steps, which makes also what is handed over.
void Lowering::advanceGroup(const std::vector<CarriedArray>& plan) {
  for (const CarriedArray& carried : plan) {
    if (carried.from >= 0) {
      b_.append(Rebind{carried.current.buffer, plan[static_cast<size_t>(carried.from)].ring[1]});
    }
  }
  for (const CarriedArray& carried : plan) {
    if (carried.from >= 0) continue;
    const bool gives = std::any_of(plan.begin(), plan.end(), [&](const CarriedArray& taker) {
      return taker.from == static_cast<int>(carried.position);
    });
    b_.append(Rebind{carried.current.buffer, carried.ring[0]});
    const size_t by = gives ? 2 : 1;
    for (size_t i = 0; i + by < carried.ring.size(); i++) {
      b_.append(Swap{carried.ring[i], carried.ring[i + by]});
    }
  }
}

void Lowering::blockedSteps(Steps& steps) {
  std::array<Operand, 3> counts;
  for (size_t a = 0; a < 3; a++) counts[a] = rounded(b_, steps.extents[a], steps.plan.tile[a]);
  Operand across = b_.mul(counts[1], counts[2]);
  parallelLoop("tile", kZero, b_.mul(counts[0], across), [&](Operand tile) {
    std::array<Operand, 3> at;
    at[0] = b_.prim(Op::kMachineDiv, ScalarType::kI64, {tile, across});
    Operand rest = b_.sub(tile, b_.mul(at[0], across));
    at[1] = b_.prim(Op::kMachineDiv, ScalarType::kI64, {rest, counts[2]});
    at[2] = b_.sub(rest, b_.mul(at[1], counts[2]));
    for (size_t a = 0; a < 3; a++) {
      steps.begin[a] = b_.mul(at[a], Operand::ofI64(steps.plan.tile[a]));
      Operand end = b_.add(steps.begin[a], Operand::ofI64(steps.plan.tile[a]));
      steps.end[a] = b_.min(end, steps.extents[a]);
    }
    stepTile(steps);
  });
}

void Lowering::stepTile(Steps& steps) {
  Operand elements = Operand::ofI64(steps.ringSteps() * steps.ring_rows * steps.ring_row);
  for (Steps::Field& field : steps.fields) {
    if (!field.over) field.ring = b_.alloc("ring", field.from.type, Space::kHost, elements);
    for (BufferId* level : {&field.source, &field.target}) {
      *level = b_.buffer("level", field.from.type, Space::kHost);
      b_.program().buffers[*level].noalias = true;  // a level never writes what it reads
    }
  }
  for (Steps::Between& made : steps.between) {
    made.ring = b_.alloc("between", made.shape.type, Space::kHost, elements);
  }
  Operand first_level = Operand::ofI64(steps.firstLevel());
  Operand levels = b_.mul(steps.count, Operand::ofI64(steps.stages()));
  Operand reach = Operand::ofI64(steps.plan.reach[0]);
  Operand first = partOf(steps, 0, first_level).first;
  Operand last = b_.add(steps.end[0], b_.mul(b_.sub(levels, first_level), reach));
  Operand blocks = rounded(b_, b_.sub(last, first), steps.rows_at_once);
  b_.forLoop("front", kZero, blocks, [&](Operand block) {
    Operand front = b_.add(first, b_.mul(block, Operand::ofI64(steps.rows_at_once)));
    if (steps.firstLevel() == 0) fillRows(steps, front);
    b_.forLoop("step", kOne, b_.add(steps.count, kOne), [&](Operand step) {
      steps.step = step;
      Operand before = b_.mul(b_.sub(step, kOne), Operand::ofI64(steps.stages()));
      for (steps.stage = 0; steps.stage < steps.plan.stages(); steps.stage++) {
        steps.level = b_.add(before, Operand::ofI64(static_cast<int64_t>(steps.stage) + 1));
        stepBlock(steps, b_.sub(front, b_.mul(b_.sub(steps.level, first_level), reach)));
      }
    });
  });
  for (const Steps::Field& field : steps.fields) {
    if (!field.over) b_.append(Free{field.ring});
  }
  for (const Steps::Between& made : steps.between) b_.append(Free{made.ring});
}

// From where to where a level covers an axis.
std::pair<Operand, Operand> Lowering::partOf(const Steps& steps, size_t axis, Operand level) {
  Operand levels = b_.mul(steps.count, Operand::ofI64(steps.stages()));
  Operand more = b_.mul(b_.sub(levels, level), Operand::ofI64(steps.plan.reach[axis]));
  Operand begin = b_.sub(steps.begin[axis], more);
  Operand end = b_.add(steps.end[axis], more);
  if (steps.plan.endless[axis]) return {begin, end};
  return {b_.max(kZero, begin), b_.min(steps.extents[axis], end)};
}

// What of the rows that have their turn is inside of this level's part, at once if all of them are
// and share neighbours.
void Lowering::stepBlock(Steps& steps, Operand row) {
  auto [lo, hi] = partOf(steps, 0, steps.level);
  const int64_t count = steps.rows_at_once;
  Operand begin = b_.max(lo, row);
  Operand end = b_.min(hi, b_.add(row, Operand::ofI64(count)));
  openLevel(steps);
  auto oneByOne = [&] { b_.forLoop("y", begin, end, [&](Operand y) { stepRows(steps, y, 1); }); };
  if (count == 1 || !sharesRows(sweepOf(steps, steps.stage))) return oneByOne();
  Operand inside = b_.sub(end, begin);
  Operand all = b_.prim(Op::kEq, ScalarType::kI64, {inside, Operand::ofI64(count)});
  b_.ifThenElse(
      all, [&] { stepRows(steps, row, count); }, oneByOne);
}

// What this level reads and writes: rings, or the arrays themselves.
void Lowering::openLevel(Steps& steps) {
  steps.targets.assign(steps.plan.stm(steps.stage).results.size(), {});
  steps.target_masks.assign(steps.targets.size(), steps.ringMask());
  openFields(steps);
  for (const Steps::Between& made : steps.between) {
    if (made.stage > steps.stage) continue;
    ArrayRef ring = steps.inRing(b_, made.shape, made.ring, steps.step);
    if (made.stage == steps.stage) {
      steps.targets[made.result] = ring;
    } else {
      env_.arrays[steps.plan.stm(made.stage).results[made.result]] = ring;
    }
  }
}

void Lowering::openFields(Steps& steps) {
  const bool may_be_first = steps.firstLevel() == 1;
  Operand is_first = b_.prim(Op::kEq, ScalarType::kI64, {steps.step, kOne});
  Operand is_last = b_.prim(Op::kEq, ScalarType::kI64, {steps.step, steps.count});
  Operand mask = steps.ringMask(), all = Operand::ofI64(-1);
  Operand before = b_.sub(steps.step, kOne);
  auto chosen = [&](Operand condition, const ArrayRef& array, ArrayRef ring, BufferId buffer) {
    b_.ifThenElse(
        condition,
        [&] {
          b_.append(Rebind{buffer, array.buffer});
        },
        [&] {
          b_.append(Rebind{buffer, ring.buffer});
        });
    ring.buffer = buffer;
    ring.offset = either(b_, condition, array.offset, ring.offset);
    for (size_t k = 0; k < ring.strides.size(); k++) {
      ring.strides[k] = either(b_, condition, array.strides[k], ring.strides[k]);
    }
    return ring;
  };
  for (const Steps::Field& field : steps.fields) {
    if (field.over) continue;
    ArrayRef source = steps.inRing(b_, field, before);
    if (may_be_first) source = chosen(is_first, field.from, source, field.source);
    env_.arrays[field.param] = source;
    if (field.stage > steps.stage) continue;
    ArrayRef ring = steps.inRing(b_, field, steps.step);
    if (field.stage < steps.stage) {
      env_.arrays[steps.plan.stm(field.stage).results[field.result]] = ring;
    } else if (!steps.isLastStage()) {
      steps.targets[field.result] = ring;
    } else {
      steps.targets[field.result] = chosen(is_last, field.to, ring, field.target);
      steps.target_masks[field.result] = either(b_, is_last, all, mask);
    }
  }
  steps.source_mask = may_be_first ? either(b_, is_first, all, mask) : mask;
  steps.is_last = is_last;
  if (may_be_first) steps.reads_array = is_first;
  if (!steps.plan.handsOver()) return;
  // What was there two steps before: of the second step the other array itself.
  Operand is_early = b_.prim(Op::kLt, ScalarType::kI64, {steps.step, Operand::ofI64(3)});
  for (const Steps::Field& field : steps.fields) {
    if (!field.over) continue;
    const Steps::Field& other = steps.fields[*field.over];
    ArrayRef ring = steps.inRing(b_, other, b_.sub(before, kOne));
    ArrayRef source = chosen(is_early, other.from, ring, field.source);
    env_.arrays[field.param] = chosen(is_first, field.from, source, field.source);
  }
  steps.early_mask = either(b_, is_early, all, mask);
  steps.reads_array = is_early;
}

// Level 0 of arrays that wrap around.
void Lowering::fillRows(Steps& steps, Operand row) {
  auto [from, to] = partOf(steps, 0, kZero);
  Operand begin = b_.max(from, row);
  Operand end = b_.min(to, b_.add(row, Operand::ofI64(steps.rows_at_once)));
  b_.forLoop("y", begin, end, [&](Operand y) {
    auto [lo, hi] = partOf(steps, 1, kZero);
    b_.forLoop("line", lo, hi, [&](Operand line) { fillRow(steps, y, line); });
  });
}

void Lowering::fillRow(const Steps& steps, Operand row, Operand line) {
  auto [lo, hi] = partOf(steps, 2, kZero);
  Operand width = steps.extents[2];
  Operand in_ring = b_.prim(Op::kAnd, ScalarType::kI64, {row, steps.ringMask()});
  std::array<Operand, 2> from = {row, line}, to = {in_ring, line};
  for (size_t a = 0; a < 2; a++) {
    if (steps.plan.endless[a]) from[a] = wrapped(b_, from[a], steps.extents[a]);
  }
  auto rowOf = [&](const ArrayRef& array, const std::array<Operand, 2>& at) {
    Operand offset = array.offset;
    for (size_t k = 0; k + 1 < steps.plan.rank(); k++) {
      offset = b_.add(offset, b_.mul(at[k], array.strides[k]));
    }
    return offset;
  };
  auto copy = [&](Operand target, Operand source, Operand count) {
    for (const Steps::Field& field : steps.fields) {
      ArrayRef ring = steps.inRing(b_, field, kZero);
      Operand to_offset = b_.add(rowOf(ring, to), target);
      Operand from_offset = b_.add(rowOf(field.from, from), source);
      b_.append(CopyBuffer{field.ring, to_offset, field.from.buffer, from_offset, count});
    }
  };
  if (!steps.plan.endless[2]) return copy(lo, lo, b_.sub(hi, lo));
  VarId x = b_.declare("x", ScalarType::kI64, lo);
  b_.whileLoop(
      [&] {
        return b_.prim(Op::kLt, ScalarType::kI64, {x, hi});
      },
      [&] {
        Operand at = b_.add(x, kZero);
        Operand source = wrapped(b_, at, width);
        Operand count = b_.min(b_.sub(hi, at), b_.sub(width, source));
        copy(at, source, count);
        b_.assign(x, b_.add(at, count));
      });
}

Lowering::Sweep Lowering::sweepOf(const Steps& steps, size_t stage) const {
  Sweep sweep{steps.plan.stm(stage), steps.plan.stencil(stage), {}};
  for (size_t k = 0; k < steps.plan.rank(); k++) {
    sweep.extents.push_back(steps.extents[steps.plan.axis(k)]);
    sweep.endless.push_back(steps.plan.endless[steps.plan.axis(k)]);
  }
  for (const Steps::Field& field : steps.fields) {
    sweep.rings[field.param] = field.over ? steps.early_mask : steps.source_mask;
  }
  for (size_t before = 0; before < stage; before++) {
    for (ValueId made : steps.plan.stm(before).results) sweep.rings[made] = steps.ringMask();
  }
  sweep.split = true;
  return sweep;
}

// `count` rows (or one plane) of a level from `row` on.
void Lowering::stepRows(Steps& steps, Operand row, int64_t count) {
  Sweep sweep = sweepOf(steps, steps.stage);
  sweep.columns = partOf(steps, 2, steps.level);
  sweep.begins_lines = true;
  sweep.reads_exactly = steps.reads_array;
  sweep.outputs = steps.targets;
  if (steps.plan.rank() == 1) {
    stencilRow(sweep);
    return afterRow(steps, sweep);
  }
  if (steps.plan.rank() == 3) return stepPlane(steps, sweep, row);
  stepCells(steps, sweep, row, count);
}

void Lowering::stepPlane(Steps& steps, Sweep& sweep, Operand plane) {
  for (size_t k = 0; k < sweep.outputs.size(); k++) {
    ArrayRef& output = sweep.outputs[k];
    Operand in_ring = b_.prim(Op::kAnd, ScalarType::kI64, {plane, steps.target_masks[k]});
    output.offset = b_.add(output.offset, b_.mul(in_ring, output.strides[0]));
    output.strides[0] = kZero;
  }
  auto [lo, hi] = partOf(steps, 1, steps.level);
  b_.forLoop("line", lo, hi, [&](Operand y) {
    sweep.position = {plane, y};
    stencilRow(sweep);
    afterRow(steps, sweep);
  });
}

void Lowering::afterRow(const Steps& steps, const Sweep& sweep) {
  handOver(steps, sweep);
  copyOut(steps, sweep);
}

// What earlier stencils than the last one make and is carried: this row's part of the tile.
void Lowering::copyOut(const Steps& steps, const Sweep& sweep) {
  const size_t outer = sweep.position.size();
  auto inTile = [&](size_t axis, Operand at) {
    Operand behind = b_.prim(Op::kLe, ScalarType::kI64, {steps.begin[axis], at});
    Operand before = b_.prim(Op::kLt, ScalarType::kI64, {at, steps.end[axis]});
    return b_.prim(Op::kAnd, ScalarType::kBool, {behind, before});
  };
  for (const Steps::Field& field : steps.fields) {
    if (field.over || field.stage != steps.stage || steps.isLastStage()) continue;
    Operand wanted = steps.is_last;
    for (size_t k = 0; k < outer; k++) {
      Operand is_inside = inTile(steps.plan.axis(k), sweep.position[k]);
      wanted = b_.prim(Op::kAnd, ScalarType::kBool, {wanted, is_inside});
    }
    b_.ifThenElse(wanted, [&] {
      ArrayRef ring = steps.inRing(b_, field, steps.step);
      Operand from = b_.add(ring.offset, steps.begin[2]);
      Operand to = b_.add(field.to.offset, steps.begin[2]);
      for (size_t k = 0; k < outer; k++) {
        Operand at = sweep.position[k];
        to = b_.add(to, b_.mul(at, field.to.strides[k]));
        if (k == 0) at = b_.prim(Op::kAnd, ScalarType::kI64, {at, steps.ringMask()});
        from = b_.add(from, b_.mul(at, ring.strides[k]));
      }
      Operand cells = b_.sub(steps.end[2], steps.begin[2]);
      b_.append(CopyBuffer{field.to.buffer, to, ring.buffer, from, cells});
    });
  }
}

// The last step's row of what it reads is the result for whoever gets the step before.
void Lowering::handOver(const Steps& steps, const Sweep& sweep) {
  if (!steps.plan.handsOver()) return;
  auto [lo, hi] = *sweep.columns;
  auto copies = [&] {
    for (const Steps::Field& field : steps.fields) {
      if (!field.over) continue;
      const ArrayRef& source = env_.arrays.at(steps.fields[*field.over].param);
      Operand from = b_.add(source.offset, lo), to = b_.add(field.to.offset, lo);
      for (size_t k = 0; k < sweep.position.size(); k++) {
        Operand at = sweep.position[k];
        to = b_.add(to, b_.mul(at, field.to.strides[k]));
        if (k == 0) at = b_.prim(Op::kAnd, ScalarType::kI64, {at, steps.source_mask});
        from = b_.add(from, b_.mul(at, source.strides[k]));
      }
      b_.append(CopyBuffer{field.to.buffer, to, source.buffer, from, b_.sub(hi, lo)});
    }
  };
  b_.ifThenElse(steps.is_last, copies);
}

// One row, or the interior of several and then their ends.
void Lowering::stepCells(const Steps& steps, Sweep& sweep, Operand row, int64_t count) {
  auto placeRow = [&](Operand y) {
    Operands offsets;
    for (size_t k = 0; k < sweep.outputs.size(); k++) {
      const ArrayRef& target = steps.targets[k];
      Operand in_ring = b_.prim(Op::kAnd, ScalarType::kI64, {y, steps.target_masks[k]});
      offsets.push_back(b_.add(target.offset, b_.mul(in_ring, target.strides[0])));
      sweep.outputs[k].strides[0] = kZero;
      sweep.outputs[k].offset = offsets.back();
    }
    return offsets;
  };
  sweep.position = {row};
  if (count == 1) {
    placeRow(row);
    stencilRow(sweep);
    return afterRow(steps, sweep);
  }
  for (int64_t k = 0; k < count; k++) {
    sweep.output_rows.push_back(placeRow(b_.add(row, Operand::ofI64(k))));
  }
  stencilInterior(sweep, count);
  sweep.output_rows.clear();
  if (!hasEnds(sweep) && !steps.plan.handsOver() && steps.isLastStage()) return;
  b_.forLoop("y", row, b_.add(row, Operand::ofI64(count)), [&](Operand y) {
    sweep.position = {y};
    placeRow(y);
    stencilRow(sweep, false);
    afterRow(steps, sweep);
  });
}

}  // namespace halo::imp
