// One stencil while it is lowered (lower_stencil.cpp), or one row of it (lower_steps.cpp).
#pragma once

#include "lang/imp/lowering.h"

namespace halo::imp {

struct Lowering::Sweep {
  const core::Stm& stm;
  const core::Stencil& node;
  Operands extents;
  std::vector<ArrayRef> outputs = {};
  LaneReduction* lanes = nullptr;                           // reductions in lanes, or ..
  std::vector<std::vector<Accumulator>> accumulators = {};  // .. sequential ones
  bool split = false;
  Operands position = {};  // of the outer axes
  // Where the row of window w at these outer offsets begins.
  std::map<std::pair<size_t, std::vector<int64_t>>, Operand> rows = {};
  // By axis, kind of boundary and offset.
  std::map<std::tuple<size_t, core::BoundaryKind, int64_t>, Neighbour> coordinates = {};
  // Part of a row; absent: all of it.
  std::optional<std::pair<Operand, Operand>> columns = {};
  // An array of which only some rows exist, in a ring of `ring_rows`, a power of two.
  core::ValueId ring = {};
  int64_t ring_rows = 1;

  Operand inRing(Builder& b, Operand row) const {
    return b.prim(prim::Op::kAnd, ScalarType::kI64, {row, Operand::ofI64(ring_rows - 1)});
  }
};

}  // namespace halo::imp
