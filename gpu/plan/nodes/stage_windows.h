// Windows of arrays from outside that the loops of a cell read element by element, staged where the
// lanes of the cell's workgroup share them:
//
//   zs = loop (as = xs) for i < n do {
//     bs = screma [m] (is) map (j) { ..; assert inside H7001 (r, c, n, m) @?
//                                    x = index big[t, u] ..        t = i64.add first r; u likewise
// becomes
//   window: [n][m]f32 = screma [n] (rows) map (a) { screma [m] (columns) map (b) { .. } }
//   zs = loop (as = xs) for i < n do {
//     bs = screma [m] (is) map (j) { ..; assert inside H7001 (r, c, n, m) @?
//                                    x = index window[r, c] ..
//
// The check in front of a read has the size of the program's view, or the reach of the steps and
// lanes. `first` is the same in all steps. A loop's steps wait for each other at
// barriers, so that each of them would wait for memory. The window is read once, at full width.
//
// Requires a nest whose cells are to be workgroups. Ensures: reads get the same elements; the copy
// of the window reads inside of the array only. A window is staged if its elements are known to be
// few, and at most as many as the steps and lanes that read it.
#pragma once

#include <functional>
#include <optional>

#include "gpu/plan/workgroup/group_cells.h"

namespace halo::gpu {

// Whether an array from outside is 0, 1, .. below its size.
using IsIota = std::function<bool(core::ValueId)>;

// The nest with its windows; nothing if there are none. `max_levels` of it are cells. Their extents
// are added to the scalar code.
std::optional<core::Stm> stageWindows(core::Program& program, const core::Stm& nest,
                                      size_t max_levels, ScalarCode& code, const IsIota& is_iota);

}  // namespace halo::gpu
