// From the outside in.
#include "gpu/templates/kernel/levels.h"

#include "gpu/plan/nests/nest.h"

namespace halo::gpu {

using namespace imp;

OuterLevels::OuterLevels(const KernelCall& call, std::vector<const core::Screma*> levels)
    : call_(call), levels_(std::move(levels)) {
  own_ = levels_.back();
  levels_.pop_back();
  for (const core::Screma* level : levels_) {
    extents_.push_back(operandOf(call.arguments, level->width));
  }
}

Operand OuterLevels::count(Builder& host) const {
  Operand count = i64(1);
  for (const Operand& extent : extents_) count = host.mul(count, extent);
  return count;
}

Operand OuterLevels::wholeExtent(size_t level) const {
  const std::optional<core::Operand>& whole = call_.function.kernel[0].whole_extent;
  return level == 0 && whole ? operandOf(call_.arguments, *whole) : extents_.at(level);
}

Operand OuterLevels::wholeCount(Builder& host) const {
  Operand count = i64(1);
  for (size_t k = 0; k < extents_.size(); ++k) count = host.mul(count, wholeExtent(k));
  return count;
}

void OuterLevels::bind(Builder& code, Environment& environment, const LoweringTarget& target,
                       const Operands& indices) const {
  core::Body prefix;
  const std::vector<core::Stm>& stms = call_.function.body.stms;
  prefix.stms.assign(stms.begin(), stms.end() - 1);
  if (!prefix.stms.empty()) lowerBody(code, call_.core, prefix, environment, target);
  for (size_t k = 0; k < levels_.size(); ++k) {
    const core::Screma& level = *levels_[k];
    for (size_t i = 0; i < level.inputs.size(); ++i) {
      ArrayRef input = environment.arrays.at(level.inputs[i]);
      bindElement(code, call_.core, environment, level.map.params[i], input, {indices[k]});
    }
    const core::Screma& inner = k + 1 < levels_.size() ? *levels_[k + 1] : *own_;
    const core::Body between = prologueOf(level, inner);
    if (!between.stms.empty()) lowerBody(code, call_.core, between, environment, target);
  }
}

}  // namespace halo::gpu
