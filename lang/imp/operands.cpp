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

}  // namespace halo::imp
