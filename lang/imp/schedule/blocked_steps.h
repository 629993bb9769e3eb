// The state of a loop of stencils while several of its steps are done at once (lower_steps.cpp):
// its carried arrays, the tile and the level.
#pragma once

#include <array>

#include "lang/imp/lower/lowering.h"
#include "lang/imp/schedule/steps.h"

namespace halo::imp {

struct Lowering::Steps {
  Steps(Lowering& lowering, const StepPlan& step_plan)
      : plan(step_plan), low_(lowering), b_(lowering.b_) {}

  void lowerGroup();
  Sweep sweepOf(size_t of_stage) const;

  // A carried array: at the beginning and the end of the group, and between.
  struct Field {
    core::ValueId param;
    size_t stage, result;        // of this stencil, that is its next value
    std::optional<size_t> over;  // or: that this field has been before
    ArrayRef from, to;
    BufferId ring;
    BufferId source, target;  // of the level at hand
  };
  // A stencil's result for later stencils of the same step.
  struct Between {
    size_t stage, result;
    ArrayRef shape;
    BufferId ring;
  };
  const StepPlan& plan;
  std::array<Operand, 3> extents = {Operand::ofI64(1), Operand::ofI64(1), Operand::ofI64(1)};
  Operand first = Operand::ofI64(0);  // number of the first step done at once
  Operand count = Operand::ofI64(1);  // of these steps, at most plan.steps
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
  Operand early_mask = Operand::ofI64(-1);  // of arrays that are exchanged
  Operand is_last = {};
  std::vector<ArrayRef> targets = {};  // by result of the stencil
  Operands target_masks = {};

  int64_t stages() const { return static_cast<int64_t>(plan.stages()); }
  int64_t firstLevel() const { return plan.wraps() ? 0 : 1; }
  int64_t haloOf(size_t axis) const { return plan.haloOf(axis); }
  Operand ringMask() const { return Operand::ofI64(ring_rows - 1); }
  bool isLastStage() const { return stage + 1 == plan.stages(); }
  // Of a ring: the last step needs one only for later stencils.
  int64_t ringSteps() const { return plan.steps + (plan.stages() > 1 ? 1 : 0); }
  // Rows of the ring begin at lines of the cache, and more is read than was asked for.
  int64_t columnsBefore() const;
  // An array as if all of its rows were in the ring of this step.
  ArrayRef inRing(Builder& b, ArrayRef array, BufferId ring, Operand of_step) const;
  ArrayRef inRing(Builder& b, const Field& field, Operand of_step) const {
    return inRing(b, field.from, field.ring, of_step);
  }
  // Is this stencil's result carried?
  bool isCarried(size_t of_stage, size_t result) const;
  // The largest number of levels from a stencil back to one that made an input of it.
  int64_t mostBehind() const;
  // How large rings are, when all else is known: they hold the rows that are read, the newest of
  // which are the ones made last.
  void sizeRings();

 private:
  // lower_steps.cpp
  void lowerTile();
  void lowerBlock(Operand row);
  void enterStep(Operand number);
  std::pair<Operand, Operand> partOf(size_t axis, Operand of_level) const;

  // lower_step_levels.cpp
  void openLevel();
  void openFields();
  void openHandedOver(Operand before, Operand is_first);
  void fillRows(Operand row);
  void fillRow(Operand row, Operand line) const;

  // lower_step_rows.cpp
  void lowerRows(Operand row, int64_t rows);
  void lowerPlane(Sweep& sweep, Operand plane) const;
  void lowerCells(Sweep& sweep, Operand row, int64_t rows) const;
  void afterRow(const Sweep& sweep) const;
  void handOver(const Sweep& sweep) const;
  void copyOut(const Sweep& sweep) const;

  Lowering& low_;
  Builder& b_;
};

}  // namespace halo::imp
