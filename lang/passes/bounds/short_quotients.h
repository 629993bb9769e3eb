// Divisions and remainders whose quotient is known to be 0 or 1, as comparisons.
//
//   next_4: i64 = i64.rem i_3 n_1                 0 <= i_3 < 2 * n_1
// becomes
//   is_below_5: bool = i64.lt i_3 n_1
//   less_6: i64 = i64.sub i_3 n_1
//   next_4: i64 = select is_below_5 i_3 less_6
//
// Why: neighbours on a torus are `(i + 1) % n` and `(i + n - 1) % n`; a division takes twenty
// instructions of a GPU and tens of cycles of a CPU.
#pragma once

#include <unordered_map>

#include "lang/core/ir.h"

namespace halo::passes {

// The largest possible quotient, 0 or 1, by the result of the division or remainder. Dividends are
// not negative, divisors are positive, neither is checked.
using ShortQuotients = std::unordered_map<core::ValueId, int>;

void expandShortQuotients(core::Program& program, const ShortQuotients& known);

}  // namespace halo::passes
