// Reads of arrays at the place of the own cell become inputs.
//
//   is = iota i64 [n] 0 1
//   ys = screma [n] (is) map (i) {
//     s = screma [m] (js) map (j) { a = index xss[j, i]; .. } reduce .. ; return s }
// becomes
//   columns = rearrange (1, 0) xss
//   ys = screma [n] (is, columns) map (i, column) {
//     s = screma [m] (js, column) map (j, a) { .. } reduce .. ; return s }
//
// Needs: positions count all rows of the array, so that no read can fail; some may be the index of
// a loop around. Reads in branches and loops of a cell stay: they run for some cells only. Behind
// recognise_gathers, which looks for neighbours beside the own place. Ensures: each cell runs as
// before.
//
// Why: `fuse` joins what makes an input with its reader, and templates of reductions and products
// know how their inputs lie.
#pragma once

#include "lang/core/ir.h"

namespace halo::passes {

core::Program ownElements(const core::Program& program);

}  // namespace halo::passes
