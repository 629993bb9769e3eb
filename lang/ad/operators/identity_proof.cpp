#include "lang/ad/operators/identity_proof.h"

#include <algorithm>
#include <unordered_map>

#include "lang/ad/emit.h"
#include "lang/ad/operators/kinks.h"
#include "lang/core/definitions.h"
#include "lang/prim/fold.h"

namespace halo::ad {

namespace {

using core::Match;
using core::PrimOp;

// Values are constants or symbols: parameters, and results of statements without a rule.
class Symbols {
 public:
  Symbols(const Program& program, const Lambda& op)
      : program_(program), op_(op), definitions_(core::Definitions::inside(op.body)) {}
  void set(ValueId param, const Operand& value) { known_[param] = value; }

  Operand of(const Operand& operand) const {
    const auto found = operand.isConstant() ? known_.end() : known_.find(operand.value);
    return found == known_.end() ? operand : found->second;
  }
  void run(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (const auto* match = std::get_if<Match>(&stm.expr)) {
        choose(stm, *match);
      } else if (const auto value = result(stm)) {
        known_[stm.results[0]] = *value;
      }
    }
  }

 private:
  static bool is(const Operand& operand, double value) {
    if (!operand.isConstant() || operand.constant.type == ScalarType::kBool) return false;
    const prim::Scalar& constant = operand.constant;
    if (prim::isFloat(constant.type)) return constant.asDouble() == value;
    return constant == prim::Scalar::ofSigned(constant.type, static_cast<int64_t>(value));
  }

  std::optional<Operand> result(const Stm& stm) const {
    if (const auto* node = std::get_if<PrimOp>(&stm.expr)) return arithmetic(*node);
    const auto* select = std::get_if<core::Select>(&stm.expr);
    if (select == nullptr) return std::nullopt;
    const Operand condition = of(select->condition), on_true = of(select->on_true);
    const Operand on_false = of(select->on_false);
    if (condition.isConstant()) return condition.constant.asBool() ? on_true : on_false;
    if (on_true == on_false || isGuard(*select, definitions_)) return on_true;
    return std::nullopt;
  }

  std::optional<Operand> arithmetic(const PrimOp& node) const {
    Operands args;
    for (const Operand& arg : node.args) args.push_back(of(arg));
    if (auto folded = constant(node, args)) return folded;
    if (args.size() != 2) return std::nullopt;
    const Operand &x = args[0], &y = args[1];
    const bool is_bool = node.type == ScalarType::kBool;
    switch (node.op) {
      case Op::kAdd:
        return is(x, 0) ? std::optional(y) : is(y, 0) ? std::optional(x) : std::nullopt;
      case Op::kSub:
        return is(y, 0) ? std::optional(x) : std::nullopt;
      case Op::kMul:
        if (is(x, 1) || is(y, 0)) return y;
        return is(y, 1) || is(x, 0) ? std::optional(x) : std::nullopt;
      case Op::kDiv:
        return is(y, 1) || is(x, 0) ? std::optional(x) : std::nullopt;
      case Op::kAnd:
      case Op::kOr:
        return is_bool ? logical(node.op == Op::kAnd, x, y) : std::nullopt;
      case Op::kMin:
      case Op::kMax:
        return extreme(node, x, y);
      default:
        return std::nullopt;
    }
  }
  static std::optional<Operand> constant(const PrimOp& node, const Operands& args) {
    std::vector<prim::Scalar> scalars;
    for (const Operand& arg : args) {
      if (!arg.isConstant()) return std::nullopt;
      scalars.push_back(arg.constant);
    }
    const prim::Folded folded = prim::fold(node.op, node.type, scalars);
    const auto* found = std::get_if<prim::Scalar>(&folded);
    return found == nullptr ? std::nullopt : std::optional<Operand>(*found);
  }
  static std::optional<Operand> logical(bool is_and, const Operand& x, const Operand& y) {
    if (x.isConstant()) return x.constant.asBool() == is_and ? y : x;
    if (y.isConstant()) return y.constant.asBool() == is_and ? x : y;
    return std::nullopt;
  }
  // Of the left operand and the right one, which are the neutral element and x.
  std::optional<Operand> extreme(const PrimOp& node, const Operand& x, const Operand& y) const {
    const size_t k = op_.params.size() / 2;
    for (size_t i = 0; i < k; ++i) {
      const bool is_of_both = node.args == Operands{op_.params[i], op_.params[k + i]};
      if (is_of_both && x.isConstant() != y.isConstant()) return x.isConstant() ? y : x;
    }
    return std::nullopt;
  }

  void choose(const Stm& stm, const Match& match) {
    const Operand scrutinee = of(match.scrutinee);
    std::vector<const Body*> arms;
    for (const core::Case& arm : match.cases) {
      const bool is_other = scrutinee.isConstant() && scrutinee.constant != arm.value;
      if (!is_other) arms.push_back(&arm.body);
      if (scrutinee.isConstant() && !is_other) break;
    }
    if (arms.empty() || !scrutinee.isConstant()) arms.push_back(&match.otherwise);
    for (const Body* arm : arms) run(*arm);
    for (size_t i = 0; i < stm.results.size(); ++i) {
      const Operand first = of(arms[0]->results[i]);
      const bool are_equal = std::all_of(
          arms.begin(), arms.end(), [&](const Body* arm) { return of(arm->results[i]) == first; });
      if (are_equal) known_[stm.results[i]] = first;
    }
  }

  const Program& program_;
  const Lambda& op_;
  std::unordered_map<ValueId, Operand> known_;
  core::Definitions definitions_;
};

}  // namespace

bool keepsOperands(const Program& program, const Lambda& op, const Operands& neutral,
                   const Activity& activity) {
  const size_t k = neutral.size();
  for (const size_t side : {size_t{0}, k}) {
    Symbols symbols(program, op);
    for (size_t i = 0; i < k; ++i) {
      if (neutral[i].isConstant()) symbols.set(op.params[side + i], neutral[i]);
    }
    symbols.run(op.body);
    for (size_t i = 0; i < k; ++i) {
      const Operand& result = op.body.results[i];
      const bool counts = activity.of(result) || activity.of(op.params[i]);
      if (counts && symbols.of(result) != Operand(op.params[k - side + i])) return false;
    }
  }
  return true;
}

}  // namespace halo::ad
