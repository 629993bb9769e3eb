// Maps whose cells make rows element by element, as maps over all elements.
//
//   rows: [n][8]f32 = screma [n] (iota) map (i: i64) {
//     e = .. i ..
//     row = loop (r = scratch) for j < 8 { k = 7 - j; v = .. e .. k ..; return r with [k] = v }
//     return row }
//   all: [8n]f32 = reshape [8n] rows
// becomes
//   all: [8n]f32 = screma [8n] (iota) map (q: i64) { i = q / 8; k = q % 8; .. return v }
//
// The return sweep of a cell's loop adds such rows to an array around it. On their own, they join
// the histogram that adds them, and need no memory; where they are stored, neighbours in memory are
// made in parallel.
//
// Needs: steps that hand nothing on, few statements of a cell in front of them (they run once for
// each step), no reader of the rows but reshapes. Ensures: the same elements in the same order.
#pragma once

#include "lang/core/ir.h"

namespace halo::ad {

core::Program flattenSteps(core::Program program);

}  // namespace halo::ad
