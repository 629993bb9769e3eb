#include "lang/ad/operators/neutral.h"

#include <algorithm>

#include "lang/ad/operators/identity_proof.h"
#include "lang/ad/operators/kinks.h"
#include "lang/ad/rules.h"
#include "lang/core/definitions.h"
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
    if (select == nullptr) return takesStep(stm);
    if (isGuard(*select, definitions_)) return false;
    return !isOfBools(select->condition) || takesSides({select->on_true, select->on_false});
  }

  // `min` or `max` of the same component of the left operand and the right one, in this order.
  bool isExtremeOfBoth(const PrimOp& node) const {
    const size_t k = op_.params.size() / 2;
    for (size_t i = 0; i < k; ++i) {
      if (node.args == core::Operands{op_.params[i], op_.params[k + i]}) return true;
    }
    return false;
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
  // A number by steps of numbers, or an element at such a place.
  bool takesStep(const Stm& stm) const {
    const auto isOfNumbers = [&](const Operand& operand) {
      const Stm* stm = definitions_.find(operand);
      return stm != nullptr && isStep(*stm);
    };
    if (const auto* index = std::get_if<core::Index>(&stm.expr)) {
      return std::any_of(index->indices.begin(), index->indices.end(), isOfNumbers);
    }
    bool found = false;
    core::visitUses(stm.expr, [&](const Operand& used) { found = found || isOfNumbers(used); });
    return found;
  }
  // A roundness, a sign, a magnitude; a bool by other values than bools as a number.
  bool isStep(const Stm& stm) const {
    if (const auto* node = std::get_if<PrimOp>(&stm.expr)) {
      return !isBool(stm.results[0]) && ad::isStep(*node);
    }
    const auto* node = std::get_if<core::Convert>(&stm.expr);
    if (node == nullptr) return false;
    if (node->from == ScalarType::kBool) return !isOfBools(node->arg);
    return prim::isFloat(node->from) && !prim::isFloat(node->to);
  }

  void note(const Stm& stm) {
    definitions_.add(stm);
    const auto* node = std::get_if<PrimOp>(&stm.expr);
    if (node == nullptr) return;
    const bool is_of_bools =
        isBool(stm.results[0]) && std::all_of(node->args.begin(), node->args.end(),
                                              [&](const Operand& arg) { return isOfBools(arg); });
    if (is_of_bools) bools_.insert(stm.results[0]);
  }

  const Program& program_;
  const Lambda& op_;
  std::unordered_set<ValueId> bools_;  // made of bools alone
  core::Definitions definitions_;
};

}  // namespace

NeutralElement neutralElementOf(const Program& program, const Lambda& op,
                                const core::Operands& neutral, const Activity& activity) {
  const Choices choices(program, op);
  auto found = NeutralElement::kKeeps;
  bool is_first = true, has_extreme = false;
  core::visitStms(op.body, [&](const Stm& stm) {
    if (!activity.any(stm.results)) return;
    if (choices.chooses(stm)) found = NeutralElement::kReplaces;
    const auto* node = std::get_if<PrimOp>(&stm.expr);
    if (node == nullptr || !isExtreme(*node)) return;
    has_extreme = true;
    is_first = is_first && choices.isExtremeOfBoth(*node);
    if (!is_first) found = NeutralElement::kReplaces;
    if (found == NeutralElement::kKeeps) found = NeutralElement::kFirst;
  });
  const bool is_proven = found == NeutralElement::kReplaces && is_first &&
                         keepsOperands(program, op, neutral, activity);
  if (!is_proven) return found;
  return has_extreme ? NeutralElement::kFirst : NeutralElement::kKeeps;
}

}  // namespace halo::ad
