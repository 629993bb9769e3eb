#include "lang/core/float_extremum.h"

namespace halo::core {

std::optional<prim::Op> floatExtremum(const Lambda& op) {
  if (op.params.size() != 2 || op.body.results.size() != 1) return std::nullopt;
  const auto definition = [&](const Operand& operand) -> const Expr* {
    for (const Stm& stm : op.body.stms) {
      if (!stm.results.empty() && stm.results[0] == operand.value) return &stm.expr;
    }
    return nullptr;
  };
  const Operand& result = op.body.results[0];
  const Expr* whole = result.isConstant() ? nullptr : definition(result);
  const auto* outer = whole == nullptr ? nullptr : std::get_if<Select>(whole);
  if (outer == nullptr) return std::nullopt;
  const FloatExtremumForm<Select, PrimOp, Convert, decltype(definition)> form(definition);
  const auto found = form.match(*outer);
  if (!found) return std::nullopt;
  const Operand first = op.params[0], second = op.params[1];
  const bool is_of_both =
      (found->x == first && found->y == second) || (found->x == second && found->y == first);
  if (!is_of_both) return std::nullopt;
  return found->is_max ? prim::Op::kMax : prim::Op::kMin;
}

}  // namespace halo::core
