// The code that define_semantics writes for the minimum or maximum of two floats
// (lang/passes/semantics/semantics_float.cpp): a NaN loses, -0 is before +0.
//
//   x before y ? x : x == y ? bits x with bits y : isnan y ? x : y
//
// `before` and `with` are `<` and `or` for a minimum, `>` and `and` for a maximum. Engines that
// have one instruction for it ask here, so that this form stands in two places only.
#pragma once

#include <optional>
#include <utility>

#include "lang/core/ir.h"

namespace halo::core {

template <typename Operand>
struct FloatExtremum {
  bool is_max = false;
  prim::ScalarType type;
  Operand x, y;
};

// Of Core, or of another representation with the same scalar nodes. `Definition` gives the
// expression that defines an operand, nullptr if there is none.
template <typename Select, typename Prim, typename Convert, typename Definition>
class FloatExtremumForm {
 public:
  using Operand = decltype(Select::condition);
  using Op = prim::Op;

  explicit FloatExtremumForm(Definition definition) : definition_(std::move(definition)) {}

  std::optional<FloatExtremum<Operand>> match(const Select& outer) const {
    const auto* before = node<Prim>(outer.condition);
    if (before == nullptr || (before->op != Op::kGt && before->op != Op::kLt)) return std::nullopt;
    if (!prim::isFloat(before->type)) return std::nullopt;
    const FloatExtremum<Operand> found{before->op == Op::kGt, before->type, before->args[0],
                                       before->args[1]};
    const auto* equal = node<Select>(outer.on_false);
    if (outer.on_true != found.x || equal == nullptr) return std::nullopt;
    const bool is_either = isOfBoth(equal->condition, Op::kEq, found.x, found.y);
    const auto* number = node<Select>(equal->on_false);
    if (!is_either || number == nullptr) return std::nullopt;
    const auto* is_nan = node<Prim>(number->condition);
    if (is_nan == nullptr || is_nan->op != Op::kIsNan) return std::nullopt;
    const bool drops_nan =
        is_nan->args[0] == found.y && number->on_true == found.x && number->on_false == found.y;
    return drops_nan && isZeroOf(equal->on_true, found) ? std::optional(found) : std::nullopt;
  }

 private:
  template <typename Node>
  const Node* node(const Operand& operand) const {
    const auto* expr = operand.isConstant() ? nullptr : definition_(operand);
    return expr == nullptr ? nullptr : std::get_if<Node>(expr);
  }
  // `op` commutes.
  bool isOfBoth(const Operand& operand, Op op, const Operand& x, const Operand& y) const {
    const auto* prim = node<Prim>(operand);
    if (prim == nullptr || prim->op != op) return false;
    return (prim->args[0] == x && prim->args[1] == y) || (prim->args[0] == y && prim->args[1] == x);
  }
  // The bits of both together: equal numbers differ in the sign of a zero only.
  bool isZeroOf(const Operand& operand, const FloatExtremum<Operand>& of) const {
    const auto* number = bits(operand);
    const auto* both = number == nullptr ? nullptr : node<Prim>(number->arg);
    if (both == nullptr || both->op != (of.is_max ? Op::kAnd : Op::kOr)) return false;
    const auto *a = bits(both->args[0]), *b = bits(both->args[1]);
    if (a == nullptr || b == nullptr) return false;
    return (a->arg == of.x && b->arg == of.y) || (a->arg == of.y && b->arg == of.x);
  }
  const Convert* bits(const Operand& operand) const {
    const auto* convert = node<Convert>(operand);
    return convert != nullptr && convert->kind == prim::ConvertKind::kBits ? convert : nullptr;
  }

  Definition definition_;
};

// An operator of two floats: kMin or kMax of its parameters, else nothing.
std::optional<prim::Op> floatExtremum(const Lambda& op);

}  // namespace halo::core
