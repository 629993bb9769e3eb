#include "lang/imp/simple_code.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/imp/lower/lower_body.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

bool isCommutative(Op op) {
  return op == Op::kAdd || op == Op::kMul || op == Op::kMin || op == Op::kMax || op == Op::kAnd ||
         op == Op::kOr || op == Op::kXor;
}

bool isStraightStm(const Stm& stm) {
  if (const auto* branch = std::get_if<If>(&stm.node)) {
    return isStraight(branch->then_block) && isStraight(branch->else_block);
  }
  return std::holds_alternative<Let>(stm.node) || std::holds_alternative<Declare>(stm.node) ||
         std::holds_alternative<Assign>(stm.node) || std::holds_alternative<Store>(stm.node);
}

}  // namespace

bool isSimple(const core::Program& core, const core::Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(), [&](const core::Stm& stm) {
    if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
      bool simple = isSimple(core, match->otherwise);
      for (const core::Case& arm : match->cases) simple = simple && isSimple(core, arm.body);
      for (ValueId result : stm.results) simple = simple && core.type(result).isScalar();
      return simple;
    }
    return std::holds_alternative<core::Literal>(stm.expr) ||
           std::holds_alternative<core::PrimOp>(stm.expr) ||
           std::holds_alternative<core::Convert>(stm.expr) ||
           std::holds_alternative<core::Select>(stm.expr) ||
           std::holds_alternative<core::Index>(stm.expr);
  });
}

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

bool isCommutativeTuple(const core::Lambda& op) {
  size_t count = op.body.results.size();
  if (op.body.stms.size() != count) return false;
  for (size_t k = 0; k < count; k++) {
    const auto* prim = std::get_if<core::PrimOp>(&op.body.stms[k].expr);
    if (prim == nullptr || !isCommutative(prim->op) || prim->args.size() != 2) return false;
    core::Operand left = op.params[k], right = op.params[count + k];
    bool own = (prim->args[0] == left && prim->args[1] == right) ||
               (prim->args[0] == right && prim->args[1] == left);
    if (!own || op.body.results[k] != core::Operand(op.body.stms[k].results[0])) return false;
  }
  return true;
}

}  // namespace halo::imp
