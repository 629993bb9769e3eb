// Reductions in the arms of a cell's branches, in front of the branch:
//
//   y: f32 = match b {
//     true -> { return 0f32 }
//     else -> { xs: [m]f32 = index xss[i];  s: f32 = screma [m] (xs) map .. reduce f32.add 0f32
//               t = f32.div s d;  return t } }
// becomes
//   xs: [m]f32 = index xss[i];  js: [m]i64 = iota i64 [m] 0i64 1i64
//   s: f32 = screma [m] (js) map (j: i64) {
//     e: f32 = match b { true -> { return 0f32 }  else -> { x: f32 = index xs[j]; .. } }
//     return e } reduce f32.add 0f32
//   y: f32 = match b { true -> { return 0f32 }  else -> { t = f32.div s d;  return t } }
//
// Arms of which only scalar code is left become selects, so that they may be the reduction's epilogue.
// The reduction is then a parallel statement of all cells (distribute.h), where one invocation did
// it alone before. Cells that do not take the arm reduce neutral elements and load nothing: their
// row may not exist.
#pragma once

#include <unordered_set>

#include "lang/core/ir.h"

namespace halo::gpu {

// `local`: values around the body that differ from cell to cell. A branch that all cells take alike
// is the host's.
core::Body withBranchSums(core::Program& program, const core::Body& body,
                          std::unordered_set<core::ValueId> local);

}  // namespace halo::gpu
