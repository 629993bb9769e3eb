// A loop that records its state before each step steps along the tape instead of carrying both.
//
//   (y, t) = loop (a = x, tape: [n].. = scratch) for i < n { tape[i] = a; b = f a; return b, tape }
// becomes
//   first: [n + 1].. = scratch with [0] = x
//   rows = loop (tape = first) for i < n { a = tape[i];  b = f a;  return tape with [i + 1] = b }
//   y = rows[n];  t = rows[0:n]
//
// A state that becomes another one as it is, as in a wave, `return (b, a)`, is a row as well: that
// of the step before. The tape has one row more for each such state.
//
// Needs: a state that is an array and that a parallel node makes, for the tape and the next step
// alone. Only the loop writes the tape there. No cell is around the loop, where states are
// registers. The step returns no part of the state: it would show a row while the tape is written,
// and the whole tape would be copied. Ensures: the same values. After all differentiation: the rule
// for a loop that reads its tape would record the tape.
//
// Why: kernels store rows of a tape in place (gpu/plan/in_place/updates_in_place.h), so a step
// copies nothing.
#pragma once

#include "lang/core/ir.h"

namespace halo::ad {

core::Program stepAlongTapes(core::Program program);

}  // namespace halo::ad
