// Arithmetic on scalars that may be active: dual numbers and, for reverse mode, records on a tape
// (tape.h). Derivatives are defined in language.md#derivatives, lang/prim/partials.h has the table.
//
// Every open derivative operator has a level, an inner one a higher level, so perturbations are
// never confused. An operation looks at the highest level among its operands: operands without it
// are constants there. The result one level down is the same operation on the operands one level
// down. Partials are computed there too, so derivatives of any order need nothing more.
#pragma once

#include <span>

#include "interp/derivatives/tape.h"
#include "interp/function.h"

namespace halo::interp {

// Those of prim/fold, on operands that may be active. Fails at `span`.
Datum applyPrim(State& state, prim::Op op, ScalarType type, std::span<const Datum> args, Span span);
Datum applyConvert(State& state, prim::ConvertKind kind, ScalarType to, const Datum& value);

// A function of the prelude on scalars whose partials another one gives, from the arguments and the
// result. One number for the first argument, or a record of one for each (stdlib/partials_f32.fut).
Datum applyRule(State& state, const UserFunction& function, const Function& rule, Datum* args);

// 0: plain.
inline uint32_t levelOf(const Datum& scalar) {
  const Active* active = scalar.active();
  return active != nullptr ? active->level : 0;
}
uint32_t highestLevel(std::span<const Datum> scalars);
// The scalar one level below `level`.
inline Datum below(const Datum& scalar, uint32_t level) {
  const Active* active = scalar.active();
  return active != nullptr && active->level == level ? active->primal : scalar;
}
bool isForward(const State& state, uint32_t level);

}  // namespace halo::interp
