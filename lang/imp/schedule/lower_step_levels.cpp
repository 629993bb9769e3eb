// Steps at once: inputs and outputs of a level of the pipeline (lower_steps.cpp). These are rings.
// The first and the last level of a tile have the arrays themselves, level 0 of arrays that wrap
// around is a copy.
#include "lang/imp/schedule/blocked_steps.h"

namespace halo::imp {

using prim::Op;

namespace {

Operand either(Builder& b, Operand condition, Operand yes, Operand no) {
  return yes == no ? yes : b.let("at", ScalarType::kI64, Select{condition, yes, no});
}

// The array if the condition holds, else the ring: by the name `buffer`.
ArrayRef chosen(Builder& b, Operand condition, const ArrayRef& array, ArrayRef ring,
                BufferId buffer) {
  b.ifThenElse(
      condition,
      [&] {
        b.append(Rebind{buffer, array.buffer});
      },
      [&] {
        b.append(Rebind{buffer, ring.buffer});
      });
  ring.buffer = buffer;
  ring.offset = either(b, condition, array.offset, ring.offset);
  for (size_t k = 0; k < ring.strides.size(); ++k) {
    ring.strides[k] = either(b, condition, array.strides[k], ring.strides[k]);
  }
  return ring;
}

// Within 0 .. extent - 1.
Operand wrapped(Builder& b, Operand position, Operand extent) {
  Operand rest = b.prim(Op::kMachineRem, ScalarType::kI64, {position, extent});
  Operand negative = b.prim(Op::kLt, ScalarType::kI64, {rest, kZero});
  return b.let("wrapped", ScalarType::kI64, Select{negative, b.add(rest, extent), rest});
}

}  // namespace

// This level's inputs and outputs: rings, or the arrays themselves.
void Lowering::Steps::openLevel() {
  targets.assign(plan.stm(stage).results.size(), {});
  target_masks.assign(targets.size(), ringMask());
  openFields();
  for (const Between& made : between) {
    if (made.stage > stage) continue;
    ArrayRef ring = inRing(b_, made.shape, made.ring, step);
    if (made.stage == stage) {
      targets[made.result] = ring;
    } else {
      low_.env_.arrays[plan.stm(made.stage).results[made.result]] = ring;
    }
  }
}

void Lowering::Steps::openFields() {
  const bool may_be_first = firstLevel() == 1;
  Operand is_first = b_.prim(Op::kEq, ScalarType::kI64, {step, kOne});
  is_last = b_.prim(Op::kEq, ScalarType::kI64, {step, count});
  Operand mask = ringMask(), all = Operand::ofI64(-1);
  Operand before = b_.sub(step, kOne);
  for (const Field& field : fields) {
    if (field.over) continue;
    ArrayRef source = inRing(b_, field, before);
    if (may_be_first) source = chosen(b_, is_first, field.from, source, field.source);
    low_.env_.arrays[field.param] = source;
    if (field.stage > stage) continue;
    ArrayRef ring = inRing(b_, field, step);
    if (field.stage < stage) {
      low_.env_.arrays[plan.stm(field.stage).results[field.result]] = ring;
    } else if (!isLastStage()) {
      targets[field.result] = ring;
    } else {
      targets[field.result] = chosen(b_, is_last, field.to, ring, field.target);
      target_masks[field.result] = either(b_, is_last, all, mask);
    }
  }
  source_mask = may_be_first ? either(b_, is_first, all, mask) : mask;
  if (may_be_first) reads_array = is_first;
  if (plan.handsOver()) openHandedOver(before, is_first);
}

// The array two steps before: of the second step the other array itself.
void Lowering::Steps::openHandedOver(Operand before, Operand is_first) {
  Operand is_early = b_.prim(Op::kLt, ScalarType::kI64, {step, Operand::ofI64(3)});
  for (const Field& field : fields) {
    if (!field.over) continue;
    const Field& other = fields[*field.over];
    ArrayRef ring = inRing(b_, other, b_.sub(before, kOne));
    ArrayRef source = chosen(b_, is_early, other.from, ring, field.source);
    low_.env_.arrays[field.param] = chosen(b_, is_first, field.from, source, field.source);
  }
  early_mask = either(b_, is_early, Operand::ofI64(-1), ringMask());
  reads_array = is_early;
}

// Level 0 of arrays that wrap around.
void Lowering::Steps::fillRows(Operand row) {
  auto [from, to] = partOf(0, kZero);
  Operand first = b_.max(from, row);
  Operand behind = b_.min(to, b_.add(row, Operand::ofI64(rows_at_once)));
  b_.forLoop("y", first, behind, [&](Operand y) {
    auto [lo, hi] = partOf(1, kZero);
    b_.forLoop("line", lo, hi, [&](Operand line) { fillRow(y, line); });
  });
}

void Lowering::Steps::fillRow(Operand row, Operand line) const {
  auto [lo, hi] = partOf(2, kZero);
  Operand width = extents[2];
  Operand in_ring = b_.prim(Op::kAnd, ScalarType::kI64, {row, ringMask()});
  std::array<Operand, 2> from = {row, line}, to = {in_ring, line};
  for (size_t a = 0; a < 2; ++a) {
    if (plan.endless[a]) from[a] = wrapped(b_, from[a], extents[a]);
  }
  auto rowOf = [&](const ArrayRef& array, const std::array<Operand, 2>& at) {
    Operand offset = array.offset;
    for (size_t k = 0; k + 1 < plan.rank(); ++k) {
      offset = b_.add(offset, b_.mul(at[k], array.strides[k]));
    }
    return offset;
  };
  auto copy = [&](Operand target, Operand source, Operand cells) {
    for (const Field& field : fields) {
      ArrayRef ring = inRing(b_, field, kZero);
      Operand to_offset = b_.add(rowOf(ring, to), target);
      Operand from_offset = b_.add(rowOf(field.from, from), source);
      b_.append(CopyBuffer{field.ring, to_offset, field.from.buffer, from_offset, cells});
    }
  };
  if (!plan.endless[2]) return copy(lo, lo, b_.sub(hi, lo));
  VarId x = b_.declare("x", ScalarType::kI64, lo);
  b_.whileLoop(
      [&] {
        return b_.prim(Op::kLt, ScalarType::kI64, {x, hi});
      },
      [&] {
        Operand at = b_.add(x, kZero);
        Operand source = wrapped(b_, at, width);
        Operand cells = b_.min(b_.sub(hi, at), b_.sub(width, source));
        copy(at, source, cells);
        b_.assign(x, b_.add(at, cells));
      });
}
}  // namespace halo::imp
