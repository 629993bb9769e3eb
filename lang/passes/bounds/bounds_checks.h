// Whether the check of one statement always holds.
#pragma once

#include "lang/passes/bounds/bounds_facts.h"

namespace halo::passes {

class BoundsChecks {
 public:
  BoundsChecks(const core::Program& program, BoundsFacts& facts)
      : program_(program), facts_(facts) {}

  // Of index, slice, update, integer division, power; not for other statements. `learns`: behind a
  // check that may fail, its indices are in range.
  bool holds(const core::Stm& stm, bool learns);
  // The primitive that does the same: of numbers that are not negative floor and truncation are
  // the same, and machines truncate.
  prim::Op truncated(const core::PrimOp& op);

  // The largest quotient of a division or remainder of numbers that are not negative, if it is
  // 0 or 1.
  std::optional<int> shortQuotient(const core::PrimOp& op);

  void knowAtLeast(const core::Operand& o, int64_t least);
  void knowBelow(const core::Operand& o, const core::Operand& bound);

 private:
  bool areInside(core::ValueId array, const core::Operands& list, bool learns);
  bool isInside(const std::optional<Polynomial>& p, const core::Operand& extent);
  bool isBelow(const std::optional<Polynomial>& p, const core::Operand& extent);
  bool areSlicesInside(core::ValueId array, const std::vector<core::SliceDim>& dims);
  bool isSliceInside(const core::SliceDim& d, const core::Operand& extent);
  bool isDefined(const core::PrimOp& op);

  const core::Program& program_;
  BoundsFacts& facts_;
};

}  // namespace halo::passes
