// Elements of the arrays that an arm of a branch would make.
//
//   zs = screma [n] (xs) map (x) { z = f32.mul x 2f32;  return z }
//   row = index xss[p];  ys = update zs[k] = v
//
// The element of `ys` at i is `match (i64.eq i k) { true -> v, else -> x = index xs[i];  z = .. }`,
// that of `row` is `index xss[p, i]`: code of one element, which reads nothing where the arm is not
// taken.
#pragma once

#include <memory>
#include <unordered_map>

#include "lang/core/ir.h"

namespace halo::gpu {

// Statements of an arm that no launch has carried out, by the values they bind.
class ArmElements {
 public:
  explicit ArmElements(core::Program& program) : program_(program) {}

  // Whether elements of the statement's result are code of one element, or cheap code is all of
  // it.
  static bool canHold(const core::Program& program, const core::Stm& stm);

  void hold(const core::Stm& stm);
  bool holds(const core::Operand& operand) const {
    return !operand.isConstant() && makers_.contains(operand.value);
  }
  const core::Stm& makerOf(core::ValueId value) const { return *makers_.at(value); }
  // Another statement binds it.
  void release(core::ValueId value) { makers_.erase(value); }

  // The elements of the arrays at `at`, and the scalars; nothing, if it cannot be said so.
  std::optional<core::Body> at(const core::Operands& values, const core::Operands& at) const;

  using Makers = std::unordered_map<core::ValueId, std::shared_ptr<const core::Stm>>;

 private:
  core::Program& program_;
  Makers makers_;
};

}  // namespace halo::gpu
