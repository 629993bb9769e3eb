// Loops whose states are not all kept become loops of loops. Only states in front of segments are
// recorded, those of a segment when its steps return (`#[stripmine(k)]`, `#[checkpoint(s)]`).
//
//   x = loop (x = x0) for i < n { .. }
// becomes
//   x = loop (x = x0) for s < segments { loop (x = x) for t < min len (n - s * len) {
//     i = s * len + t; .. } }
//
// A body below occurs in its return again with its own forward statements, so nothing else changes.
// Loops whose arrays change their size stay.
#pragma once

#include "lang/ad/emit.h"
#include "lang/ad/reverse/loop_hints.h"

namespace halo::ad {

void stripLoops(Program& program, Body& body, const LoopHints& hints);

}  // namespace halo::ad
