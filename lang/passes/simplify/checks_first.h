// Checks in front of the reads that they do not depend on.
//
//   assert t_1 H7001 (i_2, n_3)                      assert t_1 H7001 (i_2, n_3)
//   x_4: f32 = index xs_5[i_2]                       t_6: bool = i64.lt j_7 n_3
//   t_6: bool = i64.lt j_7 n_3              ->       assert t_6 H7001 (j_7, n_3)
//   assert t_6 H7001 (j_7, n_3)                      x_4: f32 = index xs_5[i_2]
//   y_8: f32 = index xs_5[j_7]                       y_8: f32 = index xs_5[j_7]
//
// Requires define_semantics: checks are statements of their own. Ensures: a read stays behind its
// check, a check behind the checks in front of it. No statement passes one that may fail otherwise,
// or not end, or writes.
//
// Why: a device may not start a read before it knows that the check in front of it holds. Reads
// that stand together are under way together; else each waits for the one before it.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program checksFirst(const core::Program& program);

}  // namespace halo::passes
