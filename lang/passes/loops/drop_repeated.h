// Drops maps that only tell whether their loops end, where a later node runs the same loops.
//
//   () = screma [n] (xs_1) map (x_2: f64) {
//     (y_3: f64, go_4: bool) = loop .. while go_5 do { .. }
//     return () }
//   ys_6: [n]f64 = screma [n] (xs_1) map (x_7: f64) {
//     (y_8: f64, go_9: bool, steps_10: i64) = loop .. while go_11 do { .. }
//     .. steps_10 ..
//     return z_12 }
// becomes
//   ys_6 alone
//
// Requires simplified code, in which values without a reader are no results. Ensures: the same
// values and failures. The program ends for the same arguments, as nothing that may fail or not end
// stands in between.
//
// Reverse mode makes such pairs where only the gradient is asked for. One is the map as it was, the
// other its return, which counts the steps of each cell.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program dropRepeated(const core::Program& program);

}  // namespace halo::passes
