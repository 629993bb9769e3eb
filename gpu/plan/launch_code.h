// Extents that all cells of a nest compute alike, computed by the host instead.
//
//   ys = screma [w] (is) map (i) {
//     n = i64.add k 1;  ok = i64.ge n 0;  assert ok H7005 (n)
//     zs: [n]f32 = screma [n] .. ;  .. }
// becomes
//   n = i64.add k 1;  ok = i64.ge n 0;  none = i64.le w 0;  fine = bool.or none ok
//   assert fine H7005 (n)
//   ys = screma [w] (is) map (i) { zs: [n]f32 = screma [n] .. ; .. }
//
// Only total scalar code is moved, so it may run for no cell, or where a branch of the cell does
// not. It is code of launch constants alone (variance.h) that decides an extent, how often a loop
// runs or which branch with arrays in it is taken. Or it is a check that is alike in all cells. An
// extent that stays inside differs from cell to cell.
#pragma once

#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// Takes such code out of the bodies of the statement: it belongs in front of it.
std::vector<core::Stm> takeLaunchCode(core::Program& program, core::Stm& nest);

}  // namespace halo::gpu
