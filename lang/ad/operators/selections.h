// Operators that take all of one operand or all of the other one, such as
// `if a > b then (a, i) else (b, j)`. A reduction by one is one of its elements, and its derivative
// a point: one more reduction that finds the position, in place of two scans.
#pragma once

#include "lang/ad/emit.h"

namespace halo::ad {

// `op.params -> bool`: whether the operator takes the first operand; nothing if it computes values.
std::optional<Lambda> selectionOf(Program& program, const Lambda& op);

struct Selected {
  Operand position;    // -1: the neutral element
  Operand is_neutral;  // takes the neutral element
};
// Of the first reduction of a node on numbers; it runs again, so nothing fails.
Selected selectedBy(Emitter& e, const core::Screma& node, const Lambda& takes_first);

}  // namespace halo::ad
