#include "lang/ad/neutral.h"

#include <algorithm>

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
  Choices(const Program& program, const Lambda& op) : program_(program) {
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
    if (const auto* match = std::get_if<core::Match>(&stm.expr))
      return !isOfBools(match->scrutinee);
    const auto* select = std::get_if<core::Select>(&stm.expr);
    return select != nullptr && !isOfBools(select->condition) && !isGuard(*select);
  }

 private:
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
    if (either == nullptr) return false;
    return std::any_of(either->args.begin(), either->args.end(), [&](const Operand& arg) {
      const PrimOp* bounded = made(arg, Op::kLt);
      const PrimOp* size = bounded == nullptr ? nullptr : made(bounded->args[0], Op::kAbs);
      return size != nullptr && size->args[0] == select.on_true;
    });
  }

  const Program& program_;
  std::unordered_set<ValueId> bools_;  // made of bools alone
  std::unordered_map<ValueId, const PrimOp*> made_;
};

bool isExtreme(const Stm& stm) {
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
    if (isExtreme(stm) && found == NeutralElement::kKeeps) found = NeutralElement::kFirst;
  });
  return found;
}

}  // namespace halo::ad
