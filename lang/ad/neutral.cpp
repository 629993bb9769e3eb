#include "lang/ad/neutral.h"

#include <algorithm>
#include <cmath>

#include "lang/core/visit.h"

namespace halo::ad {

namespace {

using core::Lambda;
using core::Operand;
using core::PrimOp;
using core::Program;
using core::Stm;
using core::ValueId;
using prim::Op;
using prim::ScalarType;

class Choices {
 public:
  Choices(const Program& program, const Lambda& op) : program_(program), op_(op) {
    for (const ValueId param : op.params) {
      if (isBool(param)) bools_.insert(param);
    }
    core::visitStms(op.body, [&](const Stm& stm) { note(stm); });
  }

  bool chooses(const Stm& stm) const {
    if (std::holds_alternative<core::Call>(stm.expr)) return true;
    if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
      return !std::holds_alternative<core::ForLoop>(loop->form);
    }
    if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
      return !isOfBools(match->scrutinee) || takesSides(*match);
    }
    const auto* select = std::get_if<core::Select>(&stm.expr);
    if (select == nullptr || isGuard(*select)) return false;
    return !isOfBools(select->condition) || takesSides({select->on_true, select->on_false});
  }

  // `min` or `max` of the left operand and the right one, in this order.
  bool isExtreme(const Stm& stm) const {
    const auto* node = std::get_if<PrimOp>(&stm.expr);
    if (node == nullptr || (node->op != Op::kMin && node->op != Op::kMax)) return false;
    return sideOf(node->args[0]) == Side::kLeft && sideOf(node->args[1]) == Side::kRight;
  }

 private:
  enum class Side { kLeft, kRight, kNone };

  Side sideOf(const Operand& operand) const {
    const auto& params = op_.params;
    const auto found = operand.isConstant()
                           ? params.end()
                           : std::find(params.begin(), params.end(), operand.value);
    if (found == params.end()) return Side::kNone;
    const auto at = static_cast<size_t>(found - params.begin());
    return at < params.size() / 2 ? Side::kLeft : Side::kRight;
  }
  // One of them is the left operand itself, another one the right operand itself.
  bool takesSides(const std::vector<Operand>& values) const {
    const auto takes = [&](Side side) {
      return std::any_of(values.begin(), values.end(),
                         [&](const Operand& value) { return sideOf(value) == side; });
    };
    return takes(Side::kLeft) && takes(Side::kRight);
  }
  bool takesSides(const core::Match& match) const {
    for (size_t i = 0; i < match.otherwise.results.size(); ++i) {
      std::vector<Operand> values{match.otherwise.results[i]};
      for (const core::Case& arm : match.cases) values.push_back(arm.body.results[i]);
      if (!isBool(values[0]) && takesSides(values)) return true;
    }
    return false;
  }

  bool isBool(const Operand& operand) const {
    return program_.type(operand).scalar == ScalarType::kBool;
  }
  bool isOfBools(const Operand& operand) const {
    return operand.isConstant() || bools_.contains(operand.value);
  }
  const PrimOp* made(const Operand& operand, Op op) const {
    const auto found = operand.isConstant() ? made_.end() : made_.find(operand.value);
    return found != made_.end() && found->second->op == op ? found->second : nullptr;
  }

  void note(const Stm& stm) {
    const auto* node = std::get_if<PrimOp>(&stm.expr);
    if (node == nullptr) return;
    made_[stm.results[0]] = node;
    const bool is_of_bools =
        isBool(stm.results[0]) && std::all_of(node->args.begin(), node->args.end(),
                                              [&](const Operand& arg) { return isOfBools(arg); });
    if (is_of_bools) bools_.insert(stm.results[0]);
  }

  // `Emitter::scaled`: at finite products the second condition holds.
  bool isGuard(const core::Select& select) const {
    const PrimOp* either = made(select.condition, Op::kOr);
    const bool is_zero_else = select.on_false.isConstant() &&
                              prim::isFloat(select.on_false.constant.type) &&
                              select.on_false.constant.asDouble() == 0;
    if (either == nullptr || !is_zero_else) return false;
    return std::any_of(either->args.begin(), either->args.end(), [&](const Operand& arg) {
      const PrimOp* bounded = made(arg, Op::kLt);
      const PrimOp* size = bounded == nullptr ? nullptr : made(bounded->args[0], Op::kAbs);
      return size != nullptr && size->args[0] == select.on_true && bounded->args[1].isConstant() &&
             std::isinf(bounded->args[1].constant.asDouble());
    });
  }

  const Program& program_;
  const Lambda& op_;
  std::unordered_set<ValueId> bools_;  // made of bools alone
  std::unordered_map<ValueId, const PrimOp*> made_;
};

bool hasExtreme(const Stm& stm) {
  const auto* node = std::get_if<PrimOp>(&stm.expr);
  return node != nullptr && (node->op == Op::kMin || node->op == Op::kMax);
}

}  // namespace

NeutralElement neutralElementOf(const Program& program, const Lambda& op,
                                const Activity& activity) {
  const Choices choices(program, op);
  auto found = NeutralElement::kKeeps;
  core::visitStms(op.body, [&](const Stm& stm) {
    if (!activity.any(stm.results)) return;
    if (choices.chooses(stm)) found = NeutralElement::kReplaces;
    if (!hasExtreme(stm)) return;
    if (!choices.isExtreme(stm)) found = NeutralElement::kReplaces;
    if (found == NeutralElement::kKeeps) found = NeutralElement::kFirst;
  });
  return found;
}

}  // namespace halo::ad
