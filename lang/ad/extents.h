// The most steps of a loop in a step of another one, as a number in front of both. The bound may
// vary with indices of the loops around it. Sums, differences, products with numbers around, and
// maxima of such are largest at an end of each index's range.
//
//   loop .. for i < n { .. loop .. for j < n - i { .. } }      i is from 0 to n - 1: n steps of j
//
// Why: logs of all steps lie in one array, whose rows have one size.
#pragma once

#include <functional>
#include <map>

#include "lang/ad/emit.h"

namespace halo::ad {

class Extents {
 public:
  using IsOutside = std::function<bool(ValueId)>;
  using Insert = std::function<void(Stm)>;

  // `index` of the step is at least 0 and less than `steps`. `insert` puts statements in front.
  Extents(Program& program, const Body& step, IsOutside is_outside, Insert insert);
  void know(ValueId index, const Operand& steps) { steps_[index] = steps; }

  // Whether `most` finds it, once the loops of these indices are known.
  bool isKnown(const Operand& bound, const std::vector<ValueId>& indices) const;
  // Never negative. The loop's index is known from now on.
  Operand most(const core::ForLoop& form);

 private:
  using Names = std::map<ValueId, Operand>;

  bool isAround(const Operand& operand) const {
    return operand.isConstant() || is_outside_(operand.value);
  }
  bool isLargestAtEnds(const Operand& operand, const std::vector<ValueId>& indices,
                       bool is_linear) const;
  Operand mostOf(const Operand& bound);
  void collect(const Operand& operand, std::vector<ValueId>& indices) const;
  Operand valueAt(Emitter& e, const Operand& operand, const Names& names) const;

  Program& program_;
  std::map<ValueId, core::PrimOp> operations_;  // of the step
  IsOutside is_outside_;
  Insert insert_;
  std::map<ValueId, Operand> steps_;  // of the loops whose indices these are
  std::map<ValueId, Operand> known_;  // by bound
};

}  // namespace halo::ad
