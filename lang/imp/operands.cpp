#include "lang/imp/operands.h"

#include "lang/base/match.h"

namespace halo::imp {

Operands operandsOf(const Expr& expr) {
  return base::match(
      expr, [](const Prim& e) { return e.args; }, [](const Convert& e) { return Operands{e.arg}; },
      [](const Select& e) {
        return Operands{e.condition, e.on_true, e.on_false};
      },
      [](const Load& e) { return Operands{e.index}; },
      [](const BuiltInValue&) { return Operands{}; },
      [](const Shuffle& e) {
        return Operands{e.value, e.lane};
      },
      [](const Fma& e) {
        return Operands{e.a, e.b, e.c};
      });
}

void mapOperands(Expr& expr, const std::function<Operand(const Operand&)>& replace) {
  base::match(
      expr,
      [&](Prim& e) {
        for (Operand& arg : e.args) arg = replace(arg);
      },
      [&](Convert& e) { e.arg = replace(e.arg); },
      [&](Select& e) {
        e.condition = replace(e.condition);
        e.on_true = replace(e.on_true);
        e.on_false = replace(e.on_false);
      },
      [&](Load& e) { e.index = replace(e.index); }, [](BuiltInValue&) {},
      [&](Shuffle& e) {
        e.value = replace(e.value);
        e.lane = replace(e.lane);
      },
      [&](Fma& e) {
        e.a = replace(e.a);
        e.b = replace(e.b);
        e.c = replace(e.c);
      });
}

bool isArithmetic(const Expr& expr) {
  return std::holds_alternative<Prim>(expr) || std::holds_alternative<Convert>(expr) ||
         std::holds_alternative<Select>(expr);
}

bool mayTrap(const Expr& expr) {
  const auto* prim = std::get_if<Prim>(&expr);
  if (prim == nullptr) return false;
  if (prim->op != prim::Op::kMachineDiv && prim->op != prim::Op::kMachineRem) return false;
  const Operand& divisor = prim->args[1];
  if (!divisor.isConstant() || divisor.constant.bits == 0) return true;
  return prim::isSigned(prim->type) && divisor.constant.asSigned() == -1;
}

}  // namespace halo::imp
