#include "lang/passes/ranks/plan/shard_facts.h"

#include <algorithm>

#include "lang/core/visit.h"
#include "lang/passes/ranks/plan/shard_forms.h"
#include "lang/passes/ranks/plan/shard_plan.h"

namespace halo::passes {

using core::Operand;
using core::Stm;
using core::ValueId;

EntryFacts::EntryFacts(const core::Program& program, const core::Function& entry)
    : program_(program), entry_(entry) {
  for (const auto& value : program_.values) {
    if (value.type.shape.size() > 1) heavy_.insert(ShardPlan::keyOf(value.type.shape[0]));
  }
  core::visitStms(entry_.body, [&](const Stm& stm) { note(stm); });
  collect(entry_.body, 0);
}

void EntryFacts::collect(const core::Body& body, int depth) {
  for (const Stm& stm : body.stms) {
    for (ValueId result : stm.results) depths_[result] = depth;
    if (depth == 0) definitions_.add(stm);
    if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
      for (const core::Carried& carried : loop->carried) depths_[carried.param] = depth + 1;
      collect(loop->body, depth + 1);
    }
  }
}

void EntryFacts::note(const Stm& stm) {
  if (std::holds_alternative<core::Rearrange>(stm.expr)) exchanges_axes_ = true;
  if (const auto* node = std::get_if<core::Scatter>(&stm.expr)) {
    for (ValueId input : node->inputs) scattered_.emplace(input, stm.results.at(0));
  }
  bool loops = false;
  core::visitLambdas(stm.expr, [&](const core::Lambda& lambda) {
    core::visitStms(lambda.body, [&](const Stm& nested) {
      loops = loops || std::holds_alternative<core::Loop>(nested.expr) || computes(nested);
    });
  });
  if (!loops) return;
  if (const auto* node = std::get_if<core::Screma>(&stm.expr)) {
    heavy_.insert(ShardPlan::keyOf(node->width));
  } else if (const auto* node = std::get_if<core::Stencil>(&stm.expr)) {
    heavy_.insert(ShardPlan::keyOf(node->space[0]));
  } else if (const auto* node = std::get_if<core::Hist>(&stm.expr)) {
    heavy_.insert(ShardPlan::keyOf(node->width));
  }
}

bool EntryFacts::isParam(const Operand& size) const {
  const std::vector<ValueId>& params = entry_.params;
  return size.isConstant() || std::find(params.begin(), params.end(), size.value) != params.end();
}

int EntryFacts::depthOf(ValueId value) const {
  const auto at = depths_.find(value);
  return at == depths_.end() ? 0 : at->second;
}

bool EntryFacts::isOfEntry(const Operand& size) const {
  return size.isConstant() || depthOf(size.value) == 0;
}

bool EntryFacts::isHeavy(const Operand& extent) const {
  return heavy_.contains(ShardPlan::keyOf(extent));
}

}  // namespace halo::passes
