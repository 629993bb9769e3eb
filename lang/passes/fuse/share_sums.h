// Sums over neighbourhoods as sums of sums of rows, where rows are alike. Neighbouring cells then
// have rows in common, and code for several cells computes each row's sum once.
//
//   box of 3 x 3:   t = x_0 + x_1 + x_2 + x_3 + x_4 + x_5 + x_6 + x_7 + x_8      (reassociable)
//   becomes         a = x_0 + x_1 + x_2,  b = x_3 + x_4 + x_5,  c = x_6 + x_7 + x_8,  t = a + b + c
//
// The same for `min`, `max` and the integers' operations, for products with constants (rows whose
// weights are the same), and in space for planes. Products that only a reassociable sum takes are
// marked as well: code generators may fuse them.
//
// With `factor`, rows whose weights are multiples of each other are alike too (a separable
// convolution): t = c_0 * a + c_1 * b + ..
//
// Requires: offsets are static, unroll has run. Ensures: every cell of a stencil associates in the
// same way, wherever it is and whatever computes it. Only reassociable sums of floats and operators
// with the same bits in any order change.
//
// Why: 81 additions a cell are more than memory takes; 9 + 9 are not, and LLVM or a driver may not
// know that the order is free.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program shareSums(const core::Program& program);
core::Program shareAndFactorSums(const core::Program& program);

}  // namespace halo::passes
