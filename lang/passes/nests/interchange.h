// A reduction or scan whose operator combines rows element by element becomes a map of reductions
// or scans over scalars, one for each column. That is rows in registers and a parallel loop instead
// of one long sequence.
//
//   s: [m]f32 = screma [n] (xss) reduce (a: [m]f32, b: [m]f32) {
//     c: [m]f32 = screma [m] (a, b) map (x, y) { z = f32.add x y; return z }; return c } ne
// becomes
//   t: [m][n]f32 = rearrange (1, 0) xss
//   s: [m]f32 = screma [m] (t, ne) map (col: [n]f32, e: f32) {
//     r: f32 = screma [n] (col) reduce f32.add e; return r }
//
// A scan's rows are the columns of the map's result: rearranged back.
//
// Needs: one reduction or scan, nothing else, of arrays as they are (before fuse, which joins maps
// to it). Ensures: the same order in each column. For engines that want parallel loops; a
// sequential one reads rows faster than columns.
#pragma once

#include <functional>
#include <optional>

#include "lang/core/ir.h"

namespace halo::passes {

core::Program interchangeRows(const core::Program& program);
// Only where the operator on rows is one of these.
using OperatorTest = std::function<bool(const core::Lambda&)>;
core::Program interchangeRows(const core::Program& program, const OperatorTest& wanted);

// The operator on one element of each row, if that is all that `op` does to its rows.
std::optional<core::Lambda> elementOperator(core::Program& program, const core::Lambda& op);

}  // namespace halo::passes
