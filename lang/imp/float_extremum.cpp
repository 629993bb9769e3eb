#include "lang/imp/float_extremum.h"

namespace halo::imp {

using prim::Op;

namespace {

class ExtremumMatch {
 public:
  explicit ExtremumMatch(const core::Lambda& op) : op_(op) {}

  std::optional<Op> run() const {
    if (op_.params.size() != 2 || op_.body.results.size() != 1) return std::nullopt;
    const core::Operand x = op_.params[0], y = op_.params[1];
    const auto* whole = made<core::Select>(op_.body.results[0]);
    if (whole == nullptr || whole->on_true != x) return std::nullopt;
    const bool is_max = isPrim(whole->condition, Op::kGt, x, y);
    if (!is_max && !isPrim(whole->condition, Op::kLt, x, y)) return std::nullopt;
    const auto* rest = made<core::Select>(whole->on_false);
    const bool tells_equal = rest != nullptr && isEither(rest->condition, Op::kEq, x, y);
    const auto* number = tells_equal ? made<core::Select>(rest->on_false) : nullptr;
    const auto* same = tells_equal ? bits(rest->on_true) : nullptr;
    if (number == nullptr || same == nullptr) return std::nullopt;
    const auto* nan = made<core::PrimOp>(number->condition);
    const bool drops_nan = nan != nullptr && nan->op == Op::kIsNan && nan->args[0] == y &&
                           number->on_true == x && number->on_false == y;
    const auto* zero = made<core::PrimOp>(same->arg);
    if (!drops_nan || zero == nullptr || zero->op != (is_max ? Op::kAnd : Op::kOr))
      return std::nullopt;
    const auto *a = bits(zero->args[0]), *b = bits(zero->args[1]);
    const bool of_both = a != nullptr && b != nullptr &&
                         ((a->arg == x && b->arg == y) || (a->arg == y && b->arg == x));
    return of_both ? std::optional(is_max ? Op::kMax : Op::kMin) : std::nullopt;
  }

 private:
  template <typename Node>
  const Node* made(const core::Operand& operand) const {
    for (const core::Stm& stm : op_.body.stms) {
      if (!operand.isConstant() && stm.results[0] == operand.value)
        return std::get_if<Node>(&stm.expr);
    }
    return nullptr;
  }
  const core::Convert* bits(const core::Operand& operand) const {
    const auto* convert = made<core::Convert>(operand);
    return convert != nullptr && convert->kind == prim::ConvertKind::kBits ? convert : nullptr;
  }
  bool isPrim(const core::Operand& operand, Op op, core::Operand a, core::Operand b) const {
    const auto* prim = made<core::PrimOp>(operand);
    return prim != nullptr && prim->op == op && prim->args == core::Operands{a, b};
  }
  bool isEither(const core::Operand& operand, Op op, core::Operand a, core::Operand b) const {
    return isPrim(operand, op, a, b) || isPrim(operand, op, b, a);
  }

  const core::Lambda& op_;
};

}  // namespace

std::optional<Op> floatExtremum(const core::Lambda& op) { return ExtremumMatch(op).run(); }

}  // namespace halo::imp
