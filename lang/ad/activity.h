// Which values of a function have derivatives: those that vary with its differentiated parameters
// and that its differentiated results vary with. Conditions, indices, sizes and comparisons steer
// and pass nothing on. Both are walks over one graph of values.
#pragma once

#include <unordered_set>

#include "lang/core/ir.h"

namespace halo::ad {

class Activity {
 public:
  Activity() = default;
  // By the last `arguments` parameters and the last `results` results.
  Activity(const core::Function& function, size_t arguments, size_t results);

  bool of(core::ValueId value) const { return active_.contains(value); }
  bool of(const core::Operand& operand) const { return !operand.isConstant() && of(operand.value); }
  bool any(const std::vector<core::ValueId>& values) const;
  bool any(const core::Operands& operands) const;
  void activate(core::ValueId value) { active_.insert(value); }
  // `copy` is another `original`.
  void copy(core::ValueId original, core::ValueId copy) {
    if (of(original)) active_.insert(copy);
  }

 private:
  std::unordered_set<core::ValueId> active_;
};

// Whether the results depend on the floats among the last `arguments` parameters, and through steps
// only: comparisons, roundings, conditions, indices. Every derivative is 0 then.
bool dependsBySteps(const core::Program& program, const core::Function& function, size_t arguments,
                    size_t results);

// Whether any operand's derivative tells in the result.
bool isSmooth(const core::PrimOp& node);

}  // namespace halo::ad
