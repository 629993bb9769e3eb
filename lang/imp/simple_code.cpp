#include "lang/imp/simple_code.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/imp/lower/lower_body.h"

namespace halo::imp {

using core::ValueId;

namespace {

bool isStraightStm(const Stm& stm) {
  if (const auto* branch = std::get_if<If>(&stm.node)) {
    return isStraight(branch->then_block) && isStraight(branch->else_block);
  }
  return std::holds_alternative<Let>(stm.node) || std::holds_alternative<Declare>(stm.node) ||
         std::holds_alternative<Assign>(stm.node) || std::holds_alternative<Store>(stm.node);
}

}  // namespace

bool isStraight(const Block& block) {
  return std::all_of(block.begin(), block.end(), isStraightStm);
}

bool isElementwise(const core::Program& core, const core::Lambda& op) {
  if (op.body.stms.size() != 1) return false;
  const core::Stm& stm = op.body.stms[0];
  const auto* screma = std::get_if<core::Screma>(&stm.expr);
  if (screma == nullptr || !screma->reductions.empty() || !screma->scans.empty()) return false;
  for (ValueId param : screma->map.params) {
    if (!core.type(param).isScalar()) return false;
  }
  for (const core::Operand& result : screma->map.body.results) {
    if (!core.type(result).isScalar()) return false;
  }
  for (const core::Operand& result : op.body.results) {
    if (result.isConstant() || core.type(result).shape.size() != 1) return false;
    if (std::count(stm.results.begin(), stm.results.end(), result.value) != 1) return false;
    if (std::count(op.body.results.begin(), op.body.results.end(), result) != 1) return false;
  }
  std::unordered_set<ValueId> inside = core::freeValues(core, screma->map);
  return std::none_of(op.params.begin(), op.params.end(),
                      [&](ValueId param) { return inside.contains(param); });
}

}  // namespace halo::imp
