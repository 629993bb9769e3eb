// Reductions that are the same at every position of an outer node, separate from those that are
// not.
//
//   (s_1, t_2) = screma [k] (ws_3, xs_4) map (w_5, x_6) {   // xs_4 varies, ws_3 does not
//     p_7 = f32.mul w_5 x_6
//     return w_5, p_7 } reduce f32.add 0f32 reduce f32.add 0f32
// becomes
//   s_1 = screma [k] (ws_3) map (w_8) { return w_8 } reduce f32.add 0f32
//   t_2 = screma [k] (ws_3, xs_4) map (w_5, x_6) { .. return p_7 } reduce f32.add 0f32
//
// Requires: each reduction of the node stands alone, so its values are the same without the others.
// Ensures: only total code is computed twice.
//
// Why: `fuse` joins reductions over the same elements. One that differs from position to position
// would keep the other ones inside.
#pragma once

#include <optional>

#include "lang/passes/fuse/row_levels.h"

namespace halo::passes {

// The node of those that do not vary, to stand in front of `stm`; none if none or all do.
std::optional<core::Stm> splitSums(core::Program& program, core::Stm& stm, RowNames& names);

}  // namespace halo::passes
