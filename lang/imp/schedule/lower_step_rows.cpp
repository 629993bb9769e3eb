// Steps at once: the rows of a level (lower_steps.cpp), and those that leave the rings.
#include "lang/imp/schedule/blocked_steps.h"
#include "lang/imp/schedule/stencil/sweep.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

Lowering::Sweep Lowering::Steps::sweepOf(size_t of_stage) const {
  Sweep sweep(low_, plan.stm(of_stage), {});
  for (size_t k = 0; k < plan.rank(); ++k) {
    sweep.extents.push_back(extents[plan.axis(k)]);
    sweep.endless.push_back(plan.endless[plan.axis(k)]);
  }
  for (const Field& field : fields) {
    sweep.rings[field.param] = field.over ? early_mask : source_mask;
  }
  for (size_t before = 0; before < of_stage; ++before) {
    for (ValueId made : plan.stm(before).results) sweep.rings[made] = ringMask();
  }
  sweep.split = true;
  return sweep;
}

// `rows` rows (or one plane) of a level from `row` on.
void Lowering::Steps::lowerRows(Operand row, int64_t rows) {
  Sweep sweep = sweepOf(stage);
  sweep.columns = partOf(2, level);
  sweep.begins_lines = true;
  sweep.reads_exactly = reads_array;
  sweep.outputs = targets;
  if (plan.rank() == 1) {
    sweep.lowerRow();
    return afterRow(sweep);
  }
  if (plan.rank() == 3) return lowerPlane(sweep, row);
  lowerCells(sweep, row, rows);
}

void Lowering::Steps::lowerPlane(Sweep& sweep, Operand plane) const {
  for (size_t k = 0; k < sweep.outputs.size(); ++k) {
    ArrayRef& output = sweep.outputs[k];
    Operand in_ring = b_.prim(Op::kAnd, ScalarType::kI64, {plane, target_masks[k]});
    output.offset = b_.add(output.offset, b_.mul(in_ring, output.strides[0]));
    output.strides[0] = kZero;
  }
  auto [lo, hi] = partOf(1, level);
  b_.forLoop("line", lo, hi, [&](Operand y) {
    sweep.position = {plane, y};
    sweep.lowerRow();
    afterRow(sweep);
  });
}

void Lowering::Steps::afterRow(const Sweep& sweep) const {
  handOver(sweep);
  copyOut(sweep);
}

// Carried results of earlier stencils than the last one: this row's part of the tile.
void Lowering::Steps::copyOut(const Sweep& sweep) const {
  const size_t outer = sweep.position.size();
  auto inTile = [&](size_t axis, Operand at) {
    Operand behind = b_.prim(Op::kLe, ScalarType::kI64, {begin[axis], at});
    Operand before = b_.prim(Op::kLt, ScalarType::kI64, {at, end[axis]});
    return b_.prim(Op::kAnd, ScalarType::kBool, {behind, before});
  };
  for (const Field& field : fields) {
    if (field.over || field.stage != stage || isLastStage()) continue;
    Operand wanted = is_last;
    for (size_t k = 0; k < outer; ++k) {
      Operand is_inside = inTile(plan.axis(k), sweep.position[k]);
      wanted = b_.prim(Op::kAnd, ScalarType::kBool, {wanted, is_inside});
    }
    b_.ifThenElse(wanted, [&] {
      ArrayRef ring = inRing(b_, field, step);
      Operand from = b_.add(ring.offset, begin[2]);
      Operand to = b_.add(field.to.offset, begin[2]);
      for (size_t k = 0; k < outer; ++k) {
        Operand at = sweep.position[k];
        to = b_.add(to, b_.mul(at, field.to.strides[k]));
        if (k == 0) at = b_.prim(Op::kAnd, ScalarType::kI64, {at, ringMask()});
        from = b_.add(from, b_.mul(at, ring.strides[k]));
      }
      Operand cells = b_.sub(end[2], begin[2]);
      b_.append(CopyBuffer{field.to.buffer, to, ring.buffer, from, cells});
    });
  }
}

// The last step's input row is the result of arrays that get the step before.
void Lowering::Steps::handOver(const Sweep& sweep) const {
  if (!plan.handsOver()) return;
  auto [lo, hi] = *sweep.columns;
  auto copies = [&] {
    for (const Field& field : fields) {
      if (!field.over) continue;
      const ArrayRef& source = low_.env_.arrays.at(fields[*field.over].param);
      Operand from = b_.add(source.offset, lo), to = b_.add(field.to.offset, lo);
      for (size_t k = 0; k < sweep.position.size(); ++k) {
        Operand at = sweep.position[k];
        to = b_.add(to, b_.mul(at, field.to.strides[k]));
        if (k == 0) at = b_.prim(Op::kAnd, ScalarType::kI64, {at, source_mask});
        from = b_.add(from, b_.mul(at, source.strides[k]));
      }
      b_.append(CopyBuffer{field.to.buffer, to, source.buffer, from, b_.sub(hi, lo)});
    }
  };
  b_.ifThenElse(is_last, copies);
}

// One row, or the interior of several and then their ends.
void Lowering::Steps::lowerCells(Sweep& sweep, Operand row, int64_t rows) const {
  auto placeRow = [&](Operand y) {
    Operands offsets;
    for (size_t k = 0; k < sweep.outputs.size(); ++k) {
      const ArrayRef& target = targets[k];
      Operand in_ring = b_.prim(Op::kAnd, ScalarType::kI64, {y, target_masks[k]});
      offsets.push_back(b_.add(target.offset, b_.mul(in_ring, target.strides[0])));
      sweep.outputs[k].strides[0] = kZero;
      sweep.outputs[k].offset = offsets.back();
    }
    return offsets;
  };
  sweep.position = {row};
  if (rows == 1) {
    placeRow(row);
    sweep.lowerRow();
    return afterRow(sweep);
  }
  for (int64_t k = 0; k < rows; ++k) {
    sweep.output_rows.push_back(placeRow(b_.add(row, Operand::ofI64(k))));
  }
  sweep.lowerInterior(rows);
  sweep.output_rows.clear();
  if (!sweep.hasEnds() && !plan.handsOver() && isLastStage()) return;
  b_.forLoop("y", row, b_.add(row, Operand::ofI64(rows)), [&](Operand y) {
    sweep.position = {y};
    placeRow(y);
    sweep.lowerRow(false);
    afterRow(sweep);
  });
}

}  // namespace halo::imp
