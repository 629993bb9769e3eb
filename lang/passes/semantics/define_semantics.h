// Spells out language.md#semantics in operations that every target executes alike.
//
//   q_3: i32 = i32.div a_1 b_2 @?
// becomes
//   c_4: bool = i32.ne b_2 0i32
//   assert c_4 H7003 () @?
//   .. machine_div on a divisor that is neither 0 nor -1, minus 1 where the signs differ ..
//
// Bounds-checked index, slice and update become asserts (7001, 7002) and the proven node. Other
// operations become machine operations, compares and selects: integer div mod quot rem pow, shifts,
// abs, sgn, float min max sgn, and conversions of floats to integers.
//
// A divisor that is a power of two at every run (powers.h) needs no division: x / 2^k is a shift,
// and x % 2^k the low bits. Powers of 2, 4, 8 .. are shifts, powers of -1 a test of the last bit.
//
// Requires nothing. Ensures: the only statements that can fail are asserts and calls. Of integer
// operations only those total on a machine are left, and machine_*, whose operands are in range.
//
// Why: LLVM and GLSL leave x / 0, MIN / -1, shifts by the width, NaN to integer and min of NaN
// undefined, each in its own way. One place decides, the code generators decide nothing. It runs
// after all passes that follow checks, since asserts are harder to move and merge than checked
// statements. The interpreter does not use it, so a mistake here is a difference between engines.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program defineSemantics(const core::Program& program);

}  // namespace halo::passes
