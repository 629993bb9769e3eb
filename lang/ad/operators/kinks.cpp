#include "lang/ad/operators/kinks.h"

#include <algorithm>
#include <cmath>

#include "lang/ad/rules.h"
#include "lang/core/definitions.h"
#include "lang/core/visit.h"

namespace halo::ad {

namespace {

using core::Lambda;
using core::Match;
using core::PrimOp;
using core::Program;
using core::Select;

class Kinks {
 public:
  Kinks(const Program& program, const Lambda& op, const Activity& activity)
      : program_(program),
        op_(op),
        activity_(activity),
        is_known_(activity.any(op.params)),
        count_(op.params.size() / 2),
        definitions_(core::Definitions::inside(op.body)) {
    for (const ValueId param : op.params) {
      if (isActive(param)) moving_.insert(param);
    }
    spread(op.body);
  }

  bool any() {
    for (size_t i = 0; i < count_; ++i) {
      const Operand& result = op_.body.results[i];
      if (isActive(result) && !isChosen(result, i, false)) return true;
    }
    bool found = false;
    core::visitStms(op_.body, [&](const Stm& stm) { found = found || isKink(stm); });
    return found;
  }

 private:
  // An operator that was made here is of unknown activity: all its numbers may vary.
  bool isActive(const Operand& operand) const {
    if (is_known_) return activity_.of(operand);
    return program_.type(operand).scalar != ScalarType::kBool;
  }
  bool moves(const Operand& operand) const {
    return !operand.isConstant() && moving_.contains(operand.value);
  }

  // Whether a number is an infinity: no other number is near it.
  static bool comparesWithInfinity(const Stm& stm) {
    const auto* node = std::get_if<PrimOp>(&stm.expr);
    if (node == nullptr) return false;
    if (node->op == Op::kIsInf) return true;
    if (node->op != Op::kEq && node->op != Op::kNe) return false;
    return std::any_of(node->args.begin(), node->args.end(), [](const Operand& arg) {
      return arg.isConstant() && prim::isFloat(arg.constant.type) &&
             std::isinf(arg.constant.asDouble());
    });
  }

  // What depends on differentiated numbers in any way.
  void spread(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (comparesWithInfinity(stm)) continue;
      const std::unordered_set<ValueId> used = core::freeValues(program_, stm);
      const bool is_moved =
          std::any_of(used.begin(), used.end(), [&](ValueId v) { return moving_.contains(v); });
      if (!is_moved) continue;
      moving_.insert(stm.results.begin(), stm.results.end());
      markParams(stm);
      core::visitBodies(stm.expr, [&](const Body& nested) { spread(nested); });
    }
  }
  void markParams(const Stm& stm) {
    if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
      for (const core::Carried& one : loop->carried) moving_.insert(one.param);
    }
    core::visitLambdas(stm.expr, [&](const Lambda& lambda) {
      moving_.insert(lambda.params.begin(), lambda.params.end());
    });
  }

  // Component i of one of the operands, or computed without a choice by differentiated numbers.
  bool isChosen(const Operand& value, size_t i, bool by_number) {
    if (value.isConstant()) return !by_number;
    if (value.value == op_.params[i] || value.value == op_.params[count_ + i]) return true;
    const Stm* found = definitions_.find(value.value);
    if (found == nullptr) return !by_number;
    const Stm& stm = *found;
    if (const auto* select = std::get_if<Select>(&stm.expr)) {
      if (isGuard(*select, definitions_)) return !by_number;
      return areChosen(stm, select->condition, {select->on_true, select->on_false}, i, by_number);
    }
    if (const auto* match = std::get_if<Match>(&stm.expr)) {
      return areChosen(stm, match->scrutinee, armsOf(stm, *match, value.value), i, by_number);
    }
    const auto* node = std::get_if<PrimOp>(&stm.expr);
    if (node != nullptr && isExtreme(*node) && isOfBoth(node->args, i)) {
      harmless_.insert(value.value);
      return true;
    }
    return (node != nullptr && isTangentOfChoice(*node, i)) || !by_number;
  }
  bool areChosen(const Stm& stm, const Operand& condition, const Operands& values, size_t i,
                 bool by_number) {
    const bool by_this = moves(condition);
    const bool are = std::all_of(values.begin(), values.end(), [&](const Operand& one) {
      return isChosen(one, i, by_number || by_this);
    });
    if (are && by_this) harmless_.insert(stm.results.begin(), stm.results.end());
    return are || !(by_number || by_this);
  }
  static Operands armsOf(const Stm& stm, const Match& match, ValueId result) {
    const auto at = std::find(stm.results.begin(), stm.results.end(), result);
    const auto i = static_cast<size_t>(at - stm.results.begin());
    Operands values{match.otherwise.results[i]};
    for (const core::Case& arm : match.cases) values.push_back(arm.body.results[i]);
    return values;
  }
  bool isOfBoth(const Operands& args, size_t i) const {
    const Operand left = op_.params[i], right = op_.params[count_ + i];
    return args == Operands{left, right} || args == Operands{right, left};
  }
  // That of `min` and `max`: `(if c then a' else 0) + (if d then b' else 0)`.
  bool isTangentOfChoice(const PrimOp& node, size_t i) {
    if (node.op != Op::kAdd) return false;
    Operands sides;
    for (const Operand& arg : node.args) {
      const auto* select = definitions_.node<Select>(arg);
      if (select == nullptr || !Emitter::isZero(select->on_false)) return false;
      sides.push_back(select->on_true);
    }
    if (!isOfBoth(sides, i)) return false;
    for (const Operand& arg : node.args) harmless_.insert(arg.value);
    return true;
  }

  bool isHarmless(const Stm& stm) const {
    return std::all_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
      return harmless_.contains(result) || !isActive(result);
    });
  }
  bool isKink(const Stm& stm) const {
    if (const auto* node = std::get_if<PrimOp>(&stm.expr)) return isKink(stm, *node);
    if (const auto* node = std::get_if<Select>(&stm.expr)) {
      return moves(node->condition) && !isGuard(*node, definitions_) && !isHarmless(stm);
    }
    if (const auto* node = std::get_if<Match>(&stm.expr)) {
      return moves(node->scrutinee) && !isHarmless(stm);
    }
    if (const auto* node = std::get_if<core::Convert>(&stm.expr)) {
      const bool is_rounded = prim::isFloat(node->from) && !prim::isFloat(node->to);
      return moves(node->arg) && (node->from == ScalarType::kBool || is_rounded);
    }
    if (const auto* node = std::get_if<core::Index>(&stm.expr)) {
      return std::any_of(node->indices.begin(), node->indices.end(),
                         [&](const Operand& index) { return moves(index); });
    }
    if (const auto* node = std::get_if<core::Loop>(&stm.expr)) return isKink(*node);
    const auto* call = std::get_if<core::Call>(&stm.expr);
    return call != nullptr && partialsFor(program_, *call) == nullptr &&
           std::any_of(call->args.begin(), call->args.end(),
                       [&](const Operand& arg) { return moves(arg); });
  }
  bool isKink(const Stm& stm, const PrimOp& node) const {
    const bool is_moved = std::any_of(node.args.begin(), node.args.end(),
                                      [&](const Operand& arg) { return moves(arg); });
    if (!is_moved || program_.type(stm.results[0]).scalar == ScalarType::kBool) return false;
    if (isExtreme(node)) return !harmless_.contains(stm.results[0]);
    if (node.op == Op::kAbs) return isUsedForMore(stm.results[0]);
    return isStep(node);
  }
  // `isBounded` asks for magnitudes alone.
  bool isUsedForMore(ValueId magnitude) const {
    const auto isResult = [&](const Body& body) {
      return std::find(body.results.begin(), body.results.end(), Operand(magnitude)) !=
             body.results.end();
    };
    bool found = isResult(op_.body);
    core::visitStms(op_.body, [&](const Stm& stm) {
      core::visitBodies(stm.expr, [&](const Body& nested) { found = found || isResult(nested); });
      if (stm.results.empty() || program_.type(stm.results[0]).scalar == ScalarType::kBool) return;
      core::visitUses(stm.expr,
                      [&](const Operand& used) { found = found || used == Operand(magnitude); });
    });
    return found;
  }
  bool isKink(const core::Loop& loop) const {
    if (const auto* counted = std::get_if<core::ForLoop>(&loop.form)) return moves(counted->bound);
    const auto condition = static_cast<size_t>(std::get<core::WhileLoop>(loop.form).condition);
    return moving_.contains(loop.carried[condition].param);
  }

  const Program& program_;
  const Lambda& op_;
  const Activity& activity_;
  bool is_known_;
  size_t count_;
  std::unordered_set<ValueId> moving_, harmless_;
  core::Definitions definitions_;
};

}  // namespace

bool isStep(const PrimOp& node) {
  switch (node.op) {
    case Op::kMod:
      return prim::isFloat(node.type);
    case Op::kAbs:
      return true;
    default:
      return !isSmooth(node);
  }
}

// At finite products the second condition holds.
bool isGuard(const Select& select, const core::Definitions& definitions) {
  const auto node = [&](const Operand& operand, Op op) -> const PrimOp* {
    const auto* one = definitions.node<PrimOp>(operand);
    return one != nullptr && one->op == op ? one : nullptr;
  };
  const PrimOp* either = node(select.condition, Op::kOr);
  const bool is_zero_else = select.on_false.isConstant() &&
                            prim::isFloat(select.on_false.constant.type) &&
                            select.on_false.constant.asDouble() == 0;
  if (either == nullptr || !is_zero_else) return false;
  return std::any_of(either->args.begin(), either->args.end(), [&](const Operand& arg) {
    const PrimOp* bounded = node(arg, Op::kLt);
    const PrimOp* size = bounded == nullptr ? nullptr : node(bounded->args[0], Op::kAbs);
    return size != nullptr && size->args[0] == select.on_true && bounded->args[1].isConstant() &&
           std::isinf(bounded->args[1].constant.asDouble());
  });
}

bool isOfAnyOrder(const Program& program, const Lambda& op, const Activity& activity) {
  return !Kinks(program, op, activity).any();
}

}  // namespace halo::ad
