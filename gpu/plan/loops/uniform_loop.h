// The carried scalars of a loop that are uniform: the same in all cells of a nest (divergence
// analysis, variance.h), by code that the host can run.
//
//   xs, m, go = loop (xs: [n]f32 = ys, m: i64 = 1, go: bool = some) while go do {
//     d = match m { 1 -> { .. } else -> { .. } }  ..  // arrays, and scalars from m
//     m1 = i64.mul m f; go1 = i64.lt m1 n
//     return xs1, m1, go1 }                            // m and go are uniform if f and n are
//
// A uniform scalar's next value comes from total scalar code and divisions on uniform scalars and
// values bound outside of the cell. It may come from a branch if its scrutinee is uniform.
#pragma once

#include <functional>
#include <unordered_set>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

using IsLocal = std::function<bool(core::ValueId)>;  // whether a value differs from cell to cell

class UniformLoop {
 public:
  UniformLoop(const core::Program& program, const core::Loop& loop, IsLocal is_local);

  // Whether all cells run the body equally often.
  bool runsAlike() const;
  // By position in `carried`.
  bool isUniform(size_t k) const { return is_uniform_[k]; }
  bool hasState() const;
  // The uniform values that the body binds, the carried scalars included.
  const std::unordered_set<core::ValueId>& uniform() const { return uniform_; }

  // The code of the uniform scalars' next values, which it returns in the order of `carried`.
  // Names are those of the body. A divisor that is 0 is 1: the cell's own check fails.
  core::Body step(core::Program& program) const;

 private:
  bool isAlike(const core::Operand& operand) const;
  bool areAlike(const core::Stm& stm) const;
  void findUniform(const core::Body& body);
  bool dropVarying();
  core::Body slice(core::Program& program, const core::Body& body, core::Operands wanted) const;

  const core::Program& program_;
  const core::Loop& loop_;
  IsLocal is_local_;
  std::vector<bool> is_uniform_;
  std::unordered_set<core::ValueId> bound_;  // in the loop
  std::unordered_set<core::ValueId> uniform_;
};

}  // namespace halo::gpu
