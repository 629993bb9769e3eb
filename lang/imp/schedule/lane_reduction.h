// The lanes of a reduction and how they become one value. The loops that fill them are in
// lower_lanes.cpp and lower_stencil.cpp.
#pragma once

#include "lang/imp/lower/lowering.h"

namespace halo::imp {

// Reductions in lanes: element i of a run goes to lane i mod kLanes, private accumulators. Then
// come the tree ((a0 + a2) + (a1 + a3)) over blocks of 16 and halving, and the elements that did
// not fill the lanes in order.
class LaneReduction {
 public:
  LaneReduction(Lowering& lowering, const std::vector<core::Reduction>& reductions);
  void start();                                 // neutral values into the lanes
  void lane(Operand l, const Results& values);  // values into lane l
  void fold();                                  // lanes into the scalar accumulators
  Operands tree(size_t r);                      // of the lanes of reduction r
  void add(size_t r, const Operands& values);   // to its scalar accumulators
  void sequential(const Results& values);       // into the scalar accumulators
  // The accumulators of all reductions in order: a reduction of tuples has several.
  size_t count() const { return vars_.size(); }
  Operand result(size_t k) const { return vars_[k]; }
  ScalarType type(size_t k) const;

 private:
  // Of an extremum of floats: which zero was seen.
  struct Zero {
    prim::Op wins;         // the comparison by which a value takes the place of another one
    ScalarType bits_type;  // whose least number is sought among the values' bits
    uint64_t bits, none;   // of the zero that wins; more than any value's
    BufferId lanes;
  };
  std::optional<Zero> zeroOf(const core::Reduction& reduction, ScalarType type);
  Operand leastBits(const Zero& zero, Operand a, Operand b);
  void compare(size_t k, Operand l, Operand value);
  Operand withZero(size_t k, Operand best);

  Operands apply(size_t r, const Operands& a, const Operands& b);
  size_t first(size_t r) const;  // accumulator of reduction r
  size_t width(size_t r) const { return reductions_[r].neutral.size(); }

  Lowering& low_;
  const std::vector<core::Reduction>& reductions_;
  std::vector<BufferId> lanes_;
  std::vector<std::optional<Zero>> zeros_;
  std::vector<VarId> vars_;
};

}  // namespace halo::imp
